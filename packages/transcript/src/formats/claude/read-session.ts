import { basename } from "node:path";
import { textAt } from "../../read/json.ts";
import { readHead } from "../../read/forwards.ts";
import type { Format } from "../format.ts";

/**
 * Reads of which session a Claude Code transcript is.
 *
 * The folder stands on every line of the conversation and follows the agent's `cd`: the first is where it was started.
 */
export const readSession: Format["readSession"] = ({ path, file }) => {
  for (const { value: line } of readHead(file)) {
    const sessionId = textAt(line, "sessionId");
    const isSpoken = line["type"] === "user" || line["type"] === "assistant";
    if (sessionId === null || !isSpoken) continue;
    return {
      sessionId,
      projectPath: textAt(line, "cwd"),
      isSubAgent: line["isSidechain"] === true && basename(path).startsWith("agent-"),
    };
  }
  return null;
};

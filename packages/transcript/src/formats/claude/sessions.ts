import { basename, join } from "node:path";
import type { Format } from "../format.ts";
import { homeOf, isFile, listFolder, variableOf } from "../../read/files.ts";
import { readHead } from "../../read/forwards.ts";
import { textAt } from "../../read/json.ts";

/**
 * Finds a session below `~/.claude/projects`, in the folder of its project.
 *
 * The folder's name is the path with a dash for every character but letters and digits, cut if it is long; a session that
 * was moved to another folder is found by searching all of them.
 */
export const findTranscript: Format["findTranscript"] = (query) => {
  const root = variableOf(query, "CLAUDE_CONFIG_DIR") ?? join(homeOf(query), ".claude");
  const projects = join(root, "projects");
  const own = query.projectPath.replace(/[^a-zA-Z0-9]/g, "-");
  const candidates = [own, ...listFolder(projects)].map((folder) => join(projects, folder, `${query.sessionId}.jsonl`));
  return candidates.find((file) => isFile(file)) ?? null;
};

/**
 * Reads which session a Claude Code transcript belongs to.
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

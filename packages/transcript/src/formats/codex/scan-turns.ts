import { textAt } from "../../read/json.ts";
import type { Format } from "../format.ts";
import { readLine } from "./read-line.ts";
import { promptIn } from "./read-turn.ts";

/**
 * Looks for the prompts of a Codex rollout.
 *
 * A message sent while the agent works goes into the running turn, which is told by its id; at its stop a hook is given
 * that id.
 */
export const newTurnScan: Format["newTurnScan"] = (_transcript, { ownMessages = [] }) => {
  let running: string | null = null;
  let asked: string | null = null;
  return {
    mentions: ["user_message", "UserMessage", "user", "task_started"],
    take: (entry) => {
      const line = readLine(entry);
      if (line.kind !== "event" && line.kind !== "item") return null;
      if (line.kind === "event" && line.payload["type"] === "task_started") running = textAt(line.payload, "turn_id");
      const prompt = promptIn(entry, line, ownMessages);
      if (prompt === null) return null;
      if (!prompt.isCertain) return { kind: "may-open" };
      if (running !== null && running === asked) return { kind: "goes-on", turnId: running };
      asked = running;
      return { kind: "opens" };
    },
  };
};

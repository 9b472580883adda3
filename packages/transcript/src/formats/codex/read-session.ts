import { type JsonObject, isObject, objectAt, textAt } from "../../read/json.ts";
import { readHead } from "../../read/forwards.ts";
import type { Format } from "../format.ts";

/** Reads of which session a Codex rollout is: the first `session_meta` is the file's own, the oldest files have a bare one. */
export const readSession: Format["readSession"] = ({ file }) => {
  for (const { value: line } of readHead(file)) {
    const meta =
      line["type"] === "session_meta"
        ? objectAt(line, "payload")
        : "instructions" in line && "id" in line
          ? line
          : null;
    if (meta === null) return null;
    return { sessionId: textAt(meta, "id"), projectPath: textAt(meta, "cwd"), isSubAgent: isSubAgent(meta) };
  }
  return null;
};

/** Whether the first line of a rollout says that another agent started its session. */
export function isSubAgent({ source, thread_source, parent_thread_id }: JsonObject): boolean {
  return (
    (isObject(source) && "subagent" in source) || thread_source === "subagent" || typeof parent_thread_id === "string"
  );
}

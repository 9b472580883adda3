import { type JsonObject, dateAt, objectsAt, textAt } from "../../read/json.ts";
import type { Entry } from "../../read/backwards.ts";
import type { TurnEnding } from "../../types.ts";
import type { Format } from "../format.ts";
import { readLine } from "./read-line.ts";

/**
 * Returns how a turn of Codex ended.
 *
 * It stopped if the `task_complete` of its id brings the agent's last message and no error; `turn_aborted` is Escape or
 * a declined approval. Rollouts of 2025 have turns without ids and do not write `task_complete`: there the agent's
 * last message decides.
 */
export const endingOf: Format["endingOf"] = (entries, { prompt }) => {
  let lastAt: Date | null = null;
  for (const entry of entries) {
    const at = dateAt(entry.value, "timestamp");
    const kind = prompt.id === null ? kindWithoutId(entry) : kindOfTask(entry, prompt.id);
    if (kind !== null) return { kind, at };
    lastAt ??= at;
  }
  return { kind: "unfinished", at: lastAt };
};

/** Null if a line says nothing about the end of this turn: `/compact` is a separate task. */
function kindOfTask(entry: Entry, turnId: string): TurnEnding["kind"] | null {
  const line = readLine(entry);
  if (line.kind !== "event" || (textAt(line.payload, "turn_id") ?? turnId) !== turnId) return null;
  return eventKind(line.payload);
}

function eventKind(event: JsonObject): TurnEnding["kind"] | null {
  const type = event["type"];
  if (type === "turn_aborted") return "interrupted";
  if (type === "error") return "failed";
  if (type !== "task_complete") return null;
  if (event["error"] !== undefined && event["error"] !== null) return "failed";
  return (textAt(event, "last_agent_message") ?? "") === "" ? "unfinished" : "stopped";
}

function kindWithoutId(entry: Entry): TurnEnding["kind"] | null {
  const line = readLine(entry);
  if (line.kind === "event") return eventKind(line.payload);
  if (line.kind !== "item" || line.payload["type"] === "reasoning") return null;
  if (line.payload["type"] !== "message") return "unfinished";
  if (line.payload["role"] === "assistant") return "stopped";
  return isAbortNote(line.payload) ? "interrupted" : null;
}

function isAbortNote(item: JsonObject): boolean {
  return objectsAt(item, "content").some(
    (part) => textAt(part, "text")?.trimStart().startsWith("<turn_aborted>") === true,
  );
}

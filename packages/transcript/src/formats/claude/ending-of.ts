import { type JsonObject, dateAt, objectAt, objectsAt, textAt } from "../../read/json.ts";
import type { TurnEnding } from "../../types.ts";
import type { Format } from "../format.ts";
import { isMainLine } from "./calls.ts";
import { lineText } from "./read-turn.ts";

/**
 * Returns how a turn of Claude Code ended.
 *
 * It stopped if the last thing the main agent did was to write a message. What Claude Code writes in the model's place is
 * an error of the API; Escape leaves a line in the human's place; a call or a result at the end waits for an answer.
 */
export const endingOf: Format["endingOf"] = (entries, { path }) => {
  for (const { value: line } of entries) {
    const kind = isMainLine(path, line) ? kindOf(line) : null;
    if (kind !== null) return { kind, at: dateAt(line, "timestamp") };
  }
  return { kind: "unfinished", at: null };
};

/** Null if a line says nothing about the end: notifications, commands, summaries, notes. */
function kindOf(line: JsonObject): TurnEnding["kind"] | null {
  const message = objectAt(line, "message") ?? {};
  const blocks = new Set(objectsAt(message, "content").map((block) => block["type"]));
  if (line["type"] === "user") {
    if (blocks.has("tool_result")) return "unfinished";
    return lineText(line).startsWith("[Request interrupted by user") ? "interrupted" : null;
  }
  if (line["type"] !== "assistant") return null;
  if (line["isApiErrorMessage"] === true || textAt(message, "model") === "<synthetic>") return "failed";
  if (blocks.has("tool_use")) return "unfinished";
  return blocks.has("text") || textAt(message, "content") !== null ? "stopped" : "unfinished";
}

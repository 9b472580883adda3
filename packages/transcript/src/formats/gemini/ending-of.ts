import { type JsonObject, dateAt, objectsAt } from "../../read/json.ts";
import type { TurnEnding } from "../../types.ts";
import type { Format } from "../format.ts";
import { messageText } from "./is-prompt.ts";

/**
 * Returns how a turn of Gemini CLI ended.
 *
 * It stopped if the last message of the model has a text and no calls. Escape and a refusal leave a cancelled call or a
 * note; an error has a message of its own type.
 */
export const endingOf: Format["endingOf"] = (entries) => {
  for (const { value: message } of entries) {
    const kind = kindOf(message);
    if (kind !== null) return { kind, at: dateAt(message, "timestamp") };
  }
  return { kind: "unfinished", at: null };
};

/** Null if a message says nothing about the end: results, notes, repetitions for the model. */
function kindOf(message: JsonObject): TurnEnding["kind"] | null {
  const type = message["type"];
  if (type === "error") return "failed";
  if (type === "info") return messageText(message).startsWith("Request cancelled") ? "interrupted" : null;
  if (type !== "gemini") return null;
  const calls = objectsAt(message, "toolCalls");
  if (calls.some((call) => call["status"] === "cancelled")) return "interrupted";
  return calls.length === 0 && messageText(message).trim() !== "" ? "stopped" : "unfinished";
}

import { dateAt, numberAt, objectAt, textAt } from "../../read/json.ts";
import { newTally } from "../../read/backwards.ts";
import { knownUsage, usageRange } from "../../turn/known-usage.ts";
import type { Format } from "../format.ts";
import { messageText } from "./is-prompt.ts";
import { readMessages } from "./read-entries.ts";

/** Reads how full Gemini's context is: the input of the last request, of which cached tokens are part, and its output. */
export const readContextUsage: Format["readContextUsage"] = (transcript) => {
  const reading = readMessages(transcript, newTally(), usageRange(transcript.file));
  if (reading.status === "refused") return { status: "unknown", reason: reading.reason };
  for (const { value: message } of reading.messages) {
    if (messageText(message).startsWith("<state_snapshot>")) return { status: "unknown", reason: "compacted" };
    const counts = objectAt(message, "tokens");
    if (counts === null) continue;
    const model = textAt(message, "model");
    return knownUsage({
      tokens: (numberAt(counts, "input") ?? 0) + (numberAt(counts, "output") ?? 0),
      window: windowOf(model ?? ""),
      source: "model-name",
      model,
      timestamp: dateAt(message, "timestamp"),
    });
  }
  return { status: "unknown", reason: "no-usage" };
};

/** Gemini CLI itself counts with this window for all its models. */
function windowOf(model: string): number | null {
  return /^gemini-[23]/.test(model) ? 1_048_576 : null;
}

import { type JsonObject, dateAt, numberAt, objectAt, textAt } from "../../read/json.ts";
import { newTally, readEntriesBackwards } from "../../read/backwards.ts";
import { knownUsage, usageRange } from "../../turn/known-usage.ts";
import type { Format } from "../format.ts";

/**
 * Reads how full Claude's context is: the whole input of the last request, cached or not, and its output.
 *
 * Every line of one answer repeats its usage, the last one completely; sub-agents have contexts of their own, and what
 * Claude Code itself writes in the model's place has none.
 */
export const readContextUsage: Format["readContextUsage"] = ({ file }) => {
  for (const { value: line } of readEntriesBackwards(file, newTally(), usageRange(file))) {
    if (line["isSidechain"] === true) continue;
    if (line["subtype"] === "compact_boundary") return { status: "unknown", reason: "compacted" };
    const message = objectAt(line, "message");
    const usage = line["type"] === "assistant" && message !== null ? objectAt(message, "usage") : null;
    const model = message === null ? null : textAt(message, "model");
    if (usage === null || model === "<synthetic>" || line["isApiErrorMessage"] === true) continue;
    const tokens = tokensIn(usage);
    const window = windowOf(textAt(line, "requestedModel") ?? model ?? "", tokens);
    return knownUsage({ tokens, window, source: "model-name", model, timestamp: dateAt(line, "timestamp") });
  }
  return { status: "unknown", reason: "no-usage" };
};

const COUNTS = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"] as const;

function tokensIn(usage: JsonObject): number {
  return COUNTS.reduce((sum, count) => sum + (numberAt(usage, count) ?? 0), 0);
}

const STANDARD_WINDOW = 200_000;
const LARGE_WINDOW = 1_000_000;

/**
 * The windows of models by their names, as the list of models in Claude Code 2.1.325 has them; the first row that matches
 * counts.
 */
const WINDOWS: readonly { readonly models: RegExp; readonly window: number }[] = [
  { models: /^claude-opus-4-[78]/, window: LARGE_WINDOW },
  { models: /^claude-(?:opus|sonnet|haiku|fable|mythos)-5/, window: LARGE_WINDOW },
  { models: /^claude-(?:3-|(?:opus|sonnet|haiku)-4)/, window: STANDARD_WINDOW },
];

/** A context that is larger than the standard window shows that the window is. */
function windowOf(model: string, tokens: number): number | null {
  if (model.includes("[1m]") || tokens > STANDARD_WINDOW) return LARGE_WINDOW;
  return WINDOWS.find(({ models }) => models.test(model))?.window ?? null;
}

import { dateAt, numberAt, objectAt, textAt } from "../../read/json.ts";
import { newTally, readEntriesBackwards } from "../../read/backwards.ts";
import { knownUsage, usageRange } from "../../turn/known-usage.ts";
import type { ContextUsage } from "../../types.ts";
import type { Format } from "../format.ts";
import { readLine } from "./read-line.ts";

/**
 * Reads how full Codex's context is: the total of the last request, of which cached and reasoning tokens are part.
 *
 * `total_token_usage` counts the whole session and says nothing of the context.
 */
export const readContextUsage: Format["readContextUsage"] = ({ file }) => {
  let reported: ContextUsage | null = null;
  for (const entry of readEntriesBackwards(file, newTally(), usageRange(file))) {
    const line = readLine(entry);
    if (line.kind === "foreign" || line.kind === "item") continue;
    const type = line.payload["type"];
    if (type === "compacted" && reported === null) return { status: "unknown", reason: "compacted" };
    const info = type === "token_count" ? objectAt(line.payload, "info") : null;
    const tokens = info === null ? null : numberAt(objectAt(info, "last_token_usage") ?? {}, "total_tokens");
    if (info !== null && tokens !== null) {
      reported ??= knownUsage({
        tokens,
        window: numberAt(info, "model_context_window"),
        source: "transcript",
        model: null,
        timestamp: dateAt(entry.value, "timestamp"),
      });
    }
    // The model's name stands at the start of the turn.
    const model = type === "turn_context" ? textAt(line.payload, "model") : null;
    if (reported?.status === "known" && model !== null) return { ...reported, model };
  }
  return reported ?? { status: "unknown", reason: "no-usage" };
};

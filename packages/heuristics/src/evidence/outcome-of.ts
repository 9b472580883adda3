import { endsInPassingSummary } from "../shell/test-runners.ts";
import type { PlacedCommand, TurnCall } from "../turn/read-turn.ts";

/** What is known of a command's end. */
export type Outcome = "succeeded" | "failed" | "masked" | "unfinished";

/** What became of one command of a call: only a status that could not have been lost, or the runner's own word, is a success. */
export function outcomeOf({ record }: TurnCall, command: PlacedCommand): Outcome {
  if (record.rejected || record.hadError === true) return "failed";
  if (record.hadError === null || !record.hasResult) return "unfinished";
  const isProven = command.decides || endsInPassingSummary(record.resultSnippet, command.argv[0] ?? "");
  return isProven ? "succeeded" : "masked";
}

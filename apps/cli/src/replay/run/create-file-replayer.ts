import type { TranscriptFile } from "../files/find-transcripts.ts";
import { type FileResult, type JudgedTurn, replayFile, type ReplayScope } from "../judge/replay-file.ts";
import { createFactsFinder } from "../judge/replay-facts.ts";
import { createRulesFinder, type RulesOptions } from "../judge/replay-rules.ts";

/** What a replay is told; it travels to the threads. */
export interface ReplayOptions extends ReplayScope, RulesOptions {}

/** Makes the function that replays a file; whatever goes wrong with one file is said of that file. */
export function createFileReplayer(
  options: ReplayOptions,
  onTurn?: (file: TranscriptFile, judged: JudgedTurn) => void,
): (file: TranscriptFile) => Promise<FileResult> {
  const rulesOf = createRulesFinder(options);
  const factsOf = createFactsFinder(options);
  return async (file) => {
    try {
      return await replayFile(file, options, { rulesOf, factsOf }, (judged) => onTurn?.(file, judged));
    } catch (error) {
      return { kind: "failed", reason: `unexpected: ${error instanceof Error ? error.message : String(error)}` };
    }
  };
}

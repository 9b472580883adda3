import type { Rules } from "@agent-checkpoint/categories";
import type { TranscriptFile } from "../files/find-transcripts.ts";
import { type FileResult, replayFile, type ReplayScope } from "../judge/replay-file.ts";
import { createRulesFinder } from "../judge/replay-rules.ts";

/** What a replay is told; it travels to the threads. */
export interface ReplayOptions extends ReplayScope {
  /** The rules for all projects, where they do not have their own. */
  readonly given: Rules | null;
  /** The folder with the personal config. */
  readonly home: string;
}

/** Makes the function that replays a file; whatever goes wrong with one file is said of that file. */
export function createFileReplayer({ given, home, ...scope }: ReplayOptions): (file: TranscriptFile) => FileResult {
  const rulesOf = createRulesFinder({ given, home });
  return (file) => {
    try {
      return replayFile(file, scope, rulesOf);
    } catch (error) {
      return { kind: "failed", reason: `unexpected: ${error instanceof Error ? error.message : String(error)}` };
    }
  };
}

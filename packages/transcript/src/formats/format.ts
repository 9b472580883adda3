import type { OpenFile } from "../read/open-regular-file.ts";
import type { Entry, Tally } from "../read/read-entries-backwards.ts";
import type { Part, SubAgent } from "../turn/part.ts";
import type {
  ContextUsage,
  NoDataReason,
  ToolCallRecord,
  TranscriptQuery,
  TranscriptRange,
  TurnHints,
  TurnPrompt,
} from "../types.ts";

/** A transcript that is open for reading. */
export interface Transcript {
  readonly path: string;
  readonly file: OpenFile;
}

/** A span of time, open at its end where `until` is null. */
export interface Period {
  readonly since: Date;
  readonly until: Date | null;
}

/** The main agent's turn, or why it could not be read. */
export type TurnReading =
  | {
      readonly status: "read";
      readonly prompt: TurnPrompt | null;
      readonly part: Part;
      readonly isWhole: boolean;
      readonly skippedLines: number;
    }
  | { readonly status: "refused"; readonly reason: NoDataReason };

/** Takes entries from the last to the first and gives their calls in the order of the file. */
export interface Collector {
  readonly take: (entry: Entry) => void;
  readonly part: (range: TranscriptRange) => Part;
}

/** What the package must know of one agent's transcripts. */
export interface Format {
  /** Reads the turn that is at the end of the transcript. */
  readonly readTurn: (transcript: Transcript, hints: TurnHints) => TurnReading;
  /** Gives the entries that start in a range, the last first. */
  readonly readEntries: (transcript: Transcript, tally: Tally, range?: Partial<TranscriptRange>) => Iterable<Entry>;
  readonly newCollector: (transcript: Transcript, by: ToolCallRecord["by"]) => Collector;
  /** Reads what sub-agents of the session did in a period, from their own transcripts. */
  readonly readSubAgents: (transcript: Transcript, period: Period, starters: Part["starters"]) => readonly SubAgent[];
  /** Reads how full the model's context is. */
  readonly readContextUsage: (transcript: Transcript) => ContextUsage;
  /** Finds the transcript of a session, or null. */
  readonly findTranscript: (query: TranscriptQuery) => string | null;
}

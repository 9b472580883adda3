import type { OpenFile } from "../read/files.ts";
import type { JsonObject } from "../read/json.ts";
import type { Entry, Tally } from "../read/backwards.ts";
import type { Part, SubAgent } from "../turn/calls.ts";
import type { TurnScan } from "../turn/find-turns.ts";
import type {
  ContextUsage,
  NoDataReason,
  Session,
  ToolCallRecord,
  TranscriptRange,
  TurnEnding,
  TurnHints,
  TurnPrompt,
} from "../types.ts";
import type { AgentName } from "./agent-names.ts";

/** A transcript that is open for reading. */
export interface Transcript {
  readonly path: string;
  readonly file: OpenFile;
  /** The whole file and the positions of its messages, once they were searched for. */
  readonly located?: LocatedMessages | undefined;
}

/** A transcript that is one JSON object, read, with the places of its messages in bytes. */
export interface LocatedMessages {
  readonly json: Buffer;
  readonly spans: readonly { readonly start: number; readonly end: number }[];
}

/** A span of time, open-ended if `until` is null. */
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
      /** Whether it ended in an error of the model's API; false by default. */
      readonly hasFailed?: boolean | undefined;
    }
  | { readonly status: "refused"; readonly reason: NoDataReason };

/** A turn whose end is looked for. */
export interface OpenedTurn {
  readonly path: string;
  readonly prompt: TurnPrompt;
}

/** Takes entries from the last to the first and returns their calls in the order of the file. */
export interface Collector {
  readonly take: (entry: Entry) => void;
  readonly part: (range: TranscriptRange) => Part;
}

/** Which session's transcript to look for. */
export interface TranscriptQuery {
  readonly agentName: AgentName;
  readonly sessionId: string;
  /** The folder that the agent was started in. */
  readonly projectPath: string;
  /** The user's home folder; by default the process's own. */
  readonly home?: string | undefined;
  /** The environment; by default the process's own. It can move the files of an agent. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** An agent that calls its hooks before its last lines are on the disk. */
export interface LateWriting {
  /** What the main agent said in a line, empty if it worked instead; null if the line shows neither. */
  readonly lastWords: (line: JsonObject) => string | null;
  /** Whether a short session may have no file yet. */
  readonly mayBeMissing: boolean;
  /** How long to wait. */
  readonly waitMs: number;
}

/** What the package must know of one agent's transcripts. */
export interface Format {
  /** Reads the turn that is at the end of the transcript. */
  readonly readTurn: (transcript: Transcript, hints: TurnHints) => TurnReading;
  /** Returns the entries that start in a range, the last first. */
  readonly readEntries: (transcript: Transcript, tally: Tally, range?: Partial<TranscriptRange>) => Iterable<Entry>;
  readonly newCollector: (transcript: Transcript, by: ToolCallRecord["by"]) => Collector;
  /** Reads what sub-agents of the session did in a period, from their own transcripts. */
  readonly readSubAgents: (transcript: Transcript, period: Period, starters: Part["starters"]) => readonly SubAgent[];
  /** Reads how full the model's context is. */
  readonly readContextUsage: (transcript: Transcript) => ContextUsage;
  /** Finds the transcript of a session; null if there is none. */
  readonly findTranscript: (query: TranscriptQuery) => string | null;
  /** Reads which session a transcript belongs to; null if it is not a transcript of this agent. */
  readonly readSession: (transcript: Transcript) => Session | null;
  /** Prepares a transcript once for several readings. */
  readonly prepare: (transcript: Transcript) => Transcript;
  /** Returns the entries of a prepared transcript that mention one of these texts, in order. */
  readonly readForwards: (transcript: Transcript, mentions: readonly string[]) => Iterable<Entry>;
  /** Looks for the prompts that open turns. */
  readonly newTurnScan: (transcript: Transcript, hints: Pick<TurnHints, "ownMessages">) => TurnScan;
  /** Returns how a turn ended, from its entries, the last first. */
  readonly endingOf: (entries: Iterable<Entry>, turn: OpenedTurn) => TurnEnding;
  /** The words of a prompt's entry; null if it is not a prompt. */
  readonly promptText: (entry: Entry) => string | null;
  /** How to see that a turn is written to its end; absent if the agent writes everything before it calls its hooks. */
  readonly late?: LateWriting;
  /** What the main agent says to the user in an entry; null if it says nothing there. */
  readonly replyText: (entry: Entry) => string | null;
}

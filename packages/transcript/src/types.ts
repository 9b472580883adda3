import type { TestReport } from "@agent-checkpoint/reports";

/** What a tool does, whatever the agent calls it. */
export type ToolKind = "shell" | "read" | "edit" | "write" | "search" | "agent" | "other";

/** One tool call of the turn, with its outcome. */
export interface ToolCallRecord {
  /** The call's id as the agent wrote it. */
  readonly id: string;
  /** The tool's name as the agent wrote it. */
  readonly toolName: string;
  readonly kind: ToolKind;
  /** The call's arguments as the agent wrote them. */
  readonly inputData: Readonly<Record<string, unknown>>;
  /** The shell command line, for `kind: "shell"`. */
  readonly command: string | null;
  /**
   * The folder the call was made in, if the agent records it (Claude's `cwd` on the line, Codex's `workdir`, Gemini's
   * `dir_path`), as written.
   */
  readonly cwd: string | null;
  /** The files the call names, as written: what it read, edited, wrote or, if the agent says so, what a shell command changed. */
  readonly files: readonly string[];
  /** Whether the call failed; null while unknown, which is neither a failure nor evidence. */
  readonly hadError: boolean | null;
  readonly hasResult: boolean;
  /** The user refused or interrupted the call. */
  readonly rejected: boolean;
  readonly exitCode: number | null;
  /** At most 500 characters of the result, head and tail, so that an exit line survives. */
  readonly resultSnippet: string;
  /** The reports of test runners anywhere in the result, for calls that can have run or shown them. */
  readonly reports: readonly TestReport[];
  readonly timestamp: Date | null;
  /** When its result was written; null if unknown. */
  readonly endedAt: Date | null;
  /** Whether the main agent made the call or one of its sub-agents. */
  readonly by: "main" | "subagent";
}

/** The human prompt that opened the turn. */
export interface TurnPrompt {
  /** Byte offset of the prompt's line (its message, in a `.json` transcript). */
  readonly offset: number;
  /** What it says; absent if only its place is known. */
  readonly text?: string | undefined;
  /** First 16 hexadecimal digits of the SHA-256 of the prompt's text, without the white space around it. */
  readonly digest: string;
  readonly timestamp: Date | null;
  /** The agent's own id for the prompt, if it writes one (Claude `promptId`, Codex `turn_id`, Gemini's message id). */
  readonly id: string | null;
}

/** Why a transcript gave no timeline. */
export type NoDataReason = "missing" | "unreadable" | "not-a-transcript" | "too-large" | "empty";

/** What the agent did since the last human prompt. */
export type TurnTimeline =
  | {
      readonly hasData: true;
      readonly toolCalls: readonly ToolCallRecord[];
      /** Null if the file contains no human prompt. */
      readonly prompt: TurnPrompt | null;
      /** Whether the turn was read from its opening prompt to the end of the file. */
      readonly isWhole: boolean;
      /** Lines that were torn or not JSON, and were skipped. */
      readonly skippedLines: number;
      /** How many bytes the file had when it was read. */
      readonly size: number;
      /** Whether the turn ended in an error of the model's API; false by default. */
      readonly hasFailed?: boolean | undefined;
      /** The end of what the agent last said to the user in the turn; absent if it said nothing. */
      readonly lastWords?: string | undefined;
    }
  | { readonly hasData: false; readonly toolCalls: readonly []; readonly reason: NoDataReason };

/** What the caller knows about the turn, in addition to the file. */
export interface TurnHints {
  /** Claude's `prompt_id` or Codex's `turn_id`. */
  readonly promptId?: string | undefined;
  /** The human's prompt as the hook reported it (Gemini's `AfterAgent`). */
  readonly promptText?: string | undefined;
  /** Texts that we sent into the session ourselves, whole or their fixed opening words: they are never a prompt. */
  readonly ownMessages?: readonly string[] | undefined;
  /** The agent's last words, as the hook reported them: some agents write them after they call. */
  readonly lastMessage?: string | undefined;
}

/** How a turn ended: only one that stopped has asked its hooks. */
export interface TurnEnding {
  /** `failed`: the model's API gave an error. `unfinished`: work is under way, or the session was ended in the middle of it. */
  readonly kind: "stopped" | "interrupted" | "failed" | "unfinished";
  /** When the last thing that counts was written. */
  readonly at: Date | null;
}

/** A turn of the past, as a hook would have seen it at its end. */
export interface PastTurn extends TranscriptRange {
  readonly timeline: Extract<TurnTimeline, { readonly hasData: true }>;
  readonly ending: TurnEnding;
}

/** How the reading of turns ended. */
export type TurnsEnd =
  | { readonly status: "read"; readonly size: number }
  | { readonly status: "refused"; readonly reason: NoDataReason };

/** The session that a transcript belongs to. */
export interface Session {
  readonly sessionId: string | null;
  /** The folder that the agent was started in, if the first lines show it. */
  readonly projectPath: string | null;
  /** Whether it is the transcript of a sub-agent, whose work belongs to another session. */
  readonly isSubAgent: boolean;
}

/** A part of a transcript, in bytes from its start. */
export interface TranscriptRange {
  readonly from: number;
  readonly to: number;
}

/** A turn as an earlier stop saw it, or why it cannot be read; `shortened`: the file has become shorter since. */
export type TurnAtStop =
  | {
      readonly status: "read";
      /** The words that opened it; null if it does not begin with a prompt. */
      readonly promptText: string | null;
      readonly toolCalls: readonly ToolCallRecord[];
    }
  | { readonly status: "refused"; readonly reason: NoDataReason | "shortened" };

/** How full the model's context is, as the agent itself last reported it. */
export type ContextUsage =
  | {
      readonly status: "known";
      /** Tokens that the next request starts with. */
      readonly tokens: number;
      /** The model's context window in tokens, if the transcript or the model's name shows it. */
      readonly window: number | null;
      /** Share of the window in use, in whole percent. */
      readonly percent: number | null;
      /** Where the size of the window comes from. */
      readonly source: "transcript" | "model-name" | "none";
      readonly model: string | null;
      readonly timestamp: Date | null;
      /** Its age in milliseconds. */
      readonly ageMs: number | null;
    }
  | {
      readonly status: "unknown";
      /** `compacted`: the context was summarised and has not been measured since. */
      readonly reason: NoDataReason | "no-usage" | "compacted";
    };

/** The coding agents whose transcripts can be read. */
export type AgentName = "claude" | "gemini" | "codex";

/** What a tool does, whatever the agent calls it. */
export type ToolKind = "shell" | "read" | "edit" | "write" | "search" | "agent" | "other";

/** One tool call of the turn, with what became of it. */
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
  /** The files the call names, as written: what it read, edited, wrote or, where the agent says so, what a shell command changed. */
  readonly files: readonly string[];
  /** Whether the call failed; null while unknown, which is neither a failure nor evidence. */
  readonly hadError: boolean | null;
  readonly hasResult: boolean;
  /** The user refused or interrupted the call. */
  readonly rejected: boolean;
  readonly exitCode: number | null;
  /** At most 500 characters of the result, head and tail, so that an exit line survives. */
  readonly resultSnippet: string;
  readonly timestamp: Date | null;
  /** Whether the main agent made the call or one of its sub-agents. */
  readonly by: "main" | "subagent";
}

/** The human prompt that opened the turn. */
export interface TurnPrompt {
  /** Byte offset of the prompt's line (its message, in a `.json` transcript). */
  readonly offset: number;
  /** First 16 hexadecimal digits of the SHA-256 of the prompt's text. */
  readonly digest: string;
  readonly timestamp: Date | null;
  /** The agent's own id for the prompt, where it writes one (Claude `promptId`, Codex `turn_id`, Gemini's message id). */
  readonly id: string | null;
}

/** Why a transcript gave no timeline. */
export type NoDataReason = "missing" | "unreadable" | "not-a-transcript" | "empty";

/** What the agent did since the human last spoke. */
export type TurnTimeline =
  | {
      readonly hasData: true;
      readonly toolCalls: readonly ToolCallRecord[];
      /** Null where the file holds no human prompt. */
      readonly prompt: TurnPrompt | null;
      /** Whether the turn was read from its opening prompt to the end of the file. */
      readonly isWhole: boolean;
      /** Lines that were torn or no JSON, and were passed over. */
      readonly skippedLines: number;
      /** How many bytes the file had when it was read. */
      readonly size: number;
    }
  | { readonly hasData: false; readonly toolCalls: readonly []; readonly reason: NoDataReason };

/** What the caller knows of the turn beside the file. */
export interface TurnHints {
  /** Claude's `prompt_id` or Codex's `turn_id`. */
  readonly promptId?: string | undefined;
  /** The human's prompt as the hook reported it (Gemini's `AfterAgent`). */
  readonly promptText?: string | undefined;
  /** Texts that we sent into the session ourselves, whole or their fixed opening words: they are never a prompt. */
  readonly ownMessages?: readonly string[] | undefined;
}

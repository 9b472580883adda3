/** The kinds of work that a sub-agent may be asked for. */
export const MODES = ["plan", "code", "ui", "docs", "eval", "reconcile", "research"] as const;
export type HandoffMode = (typeof MODES)[number];

/** How far a sub-agent came. */
export const RESPONSE_STATUSES = ["complete", "partial", "blocked"] as const;
export type HandoffStatus = (typeof RESPONSE_STATUSES)[number];

/** What a sub-agent advises: go on, stop, or ask the user. */
export const DECISIONS = ["PROCEED", "STOP", "CLARIFY"] as const;
export type HandoffDecision = (typeof DECISIONS)[number];

/** What an orchestrator hands to a sub-agent. */
export interface HandoffRequest {
  readonly task_id: string;
  readonly phase: string;
  readonly mode: HandoffMode;
  readonly context: {
    readonly feature: string;
    readonly spec_path?: string | null | undefined;
    readonly relevant_files?: readonly string[] | null | undefined;
    readonly constraints?: readonly string[] | null | undefined;
    /** What the phase before came to, in at most 500 tokens. */
    readonly previous_summary?: string | null | undefined;
  };
  readonly instructions: string;
  readonly expected_output?: string | null | undefined;
}

/** What a sub-agent hands back. */
export interface HandoffResponse {
  /** The task of the request. */
  readonly task_id: string;
  readonly phase?: string | null | undefined;
  readonly status: HandoffStatus;
  readonly decision: HandoffDecision;
  readonly findings?: Readonly<Record<string, unknown>> | null | undefined;
  /** What the next phase needs to know, in at most 500 tokens. */
  readonly context_summary: string;
  readonly tokens_used?: number | null | undefined;
  readonly issues?: readonly string[] | null | undefined;
}

/** Whether a message may be handed on. */
export interface HandoffCheck<Message> {
  readonly valid: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The message with today's names, a copy; null where it must not be handed on. */
  readonly message: Message | null;
}

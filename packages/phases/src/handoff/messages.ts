import * as v from "valibot";

/** The kinds of work that a sub-agent may be asked for. */
export const MODES = ["plan", "code", "ui", "docs", "eval", "reconcile", "research"] as const;
export type HandoffMode = (typeof MODES)[number];

/** The result of a sub-agent. */
const RESPONSE_STATUSES = ["complete", "partial", "blocked"] as const;
export type HandoffStatus = (typeof RESPONSE_STATUSES)[number];

/** What a sub-agent advises: go on, stop, or ask the user. */
const DECISIONS = ["PROCEED", "STOP", "CLARIFY"] as const;
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
    /** The summary of the previous phase, in at most 500 tokens. */
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
  /** A copy of the message with the current names; null if it must not be passed on. */
  readonly message: Message | null;
}

const words = v.pipe(v.string(), v.regex(/\S/, "expected some words"));
const strings = v.nullish(v.array(v.string()));
const summary = v.pipe(v.string(), v.description("At most 500 tokens, counted by white space; see Enforcement."));

/** The shape of a request from an orchestrator to a sub-agent. */
export const HandoffRequestSchema: v.GenericSchema<unknown, HandoffRequest> = v.looseObject({
  task_id: v.pipe(words, v.description("Names the task; the response repeats it.")),
  phase: v.pipe(words, v.description("The phase of the command that the task belongs to.")),
  mode: v.pipe(v.picklist(MODES), v.description("What kind of work the sub-agent is to do.")),
  context: v.looseObject({
    feature: v.pipe(words, v.description("The feature that is worked on.")),
    spec_path: v.nullish(v.string()),
    relevant_files: strings,
    constraints: strings,
    previous_summary: v.nullish(summary),
  }),
  instructions: v.pipe(words, v.description("What the sub-agent is to do.")),
  expected_output: v.nullish(words),
});

/** The shape of a sub-agent's response. */
export const HandoffResponseSchema: v.GenericSchema<unknown, HandoffResponse> = v.looseObject({
  task_id: v.pipe(words, v.description("The task of the request.")),
  phase: v.nullish(words),
  status: v.picklist(RESPONSE_STATUSES),
  decision: v.picklist(DECISIONS),
  findings: v.nullish(v.record(v.string(), v.unknown())),
  context_summary: summary,
  tokens_used: v.nullish(v.pipe(v.number(), v.minValue(0, "expected 0 or more"))),
  issues: strings,
});

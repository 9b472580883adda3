import type { TraceInput } from "../evidence/trace-action.ts";
import type { Observation } from "../types.ts";

/** What a check looks at. */
export interface CheckInput extends TraceInput {
  readonly changedFiles: readonly string[];
  readonly workingSlug: string | null;
  readonly plan: string | null;
  /** Whether the configs on disk are no longer those of the turn's prompt. */
  readonly haveRulesChanged: boolean;
  /** The end of what the agent last said; empty if it said nothing. */
  readonly lastWords: string;
}

/** Receives a turn, returns sentences, adds to nothing, knows no agent. */
export type Check = (input: CheckInput) => readonly Observation[];

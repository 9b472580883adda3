import type { CommandName } from "../commands.ts";

/** What can be said of a phase. */
export const PHASE_STATUSES = ["pending", "in_progress", "complete", "failed", "skipped"] as const;
export type PhaseStatus = (typeof PHASE_STATUSES)[number];

/** One phase of a command. */
export interface Phase {
  readonly status: PhaseStatus;
  /** When it was first worked on. */
  readonly started_at?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
  /** What the next phase needs to know, in at most 500 tokens. */
  readonly context_summary?: string | null | undefined;
  readonly files_created?: readonly string[] | null | undefined;
  readonly files_modified?: readonly string[] | null | undefined;
  /** Why it failed. */
  readonly error?: string | null | undefined;
}

/** Where a command stands, derived from its phases on every save. */
export interface CheckpointState {
  readonly current_phase: string | null;
  readonly completed_phases: readonly string[];
  readonly pending_phases: readonly string[];
}

/** Whether `/ship` may go on; it holds for one commit. */
export interface Gate {
  readonly ship_allowed: boolean;
  readonly blockers: readonly string[];
  /** The commit that was looked at; a gate of another commit allows nothing. */
  readonly head_commit?: string | null | undefined;
}

/** A step of the run, kept so that the history can be told again. */
export interface PhaseEvent {
  readonly at: string;
  /** Null for the run as a whole: `in_progress` when it began, `complete` when it ended. */
  readonly phase: string | null;
  readonly status: PhaseStatus;
  readonly head_commit: string | null;
}

/** What is known of one run of a command, for a feature or without one. */
export interface UnifiedCheckpoint {
  readonly command: CommandName;
  readonly feature: string | null;
  readonly version: 1;
  /** Goes up by one with every save. */
  readonly revision: number;
  /** HEAD at the last save; null outside of a repository. */
  readonly head_commit: string | null;
  /** HEAD when the run began, or when somebody last accepted that it had moved. */
  readonly base_commit: string | null;
  readonly started_at: string;
  readonly updated_at: string;
  readonly completed_at?: string | null | undefined;
  readonly state: CheckpointState;
  /** The phases in their order. */
  readonly phases: Readonly<Record<string, Phase>>;
  readonly gate?: Gate | null | undefined;
  /** The newest steps, oldest first. */
  readonly events: readonly PhaseEvent[];
}

/** Fields that are nobody's but the caller's. */
interface Foreign {
  readonly [field: string]: unknown;
}

/** What can be changed of a phase; fields of your own are kept. */
export interface PhasePatch extends Partial<Phase> {
  /** Lets a completed phase be worked on again. */
  readonly reopen?: boolean | undefined;
  readonly [field: string]: unknown;
}

/** A checkpoint as it may be saved: what is left out is filled in, fields of your own are kept. */
export interface CheckpointInput {
  readonly phases?: Readonly<Record<string, PhasePatch | Phase>> | undefined;
  readonly state?: (Partial<CheckpointState> & Foreign) | CheckpointState | undefined;
  readonly gate?: (Gate & Foreign) | Gate | null | undefined;
  /** The revision that was loaded; a save over a newer one is refused. */
  readonly revision?: number | undefined;
  readonly [field: string]: unknown;
}

import * as v from "valibot";
import { COMMAND_NAMES, type CommandName } from "../commands.ts";
import { PHASE_NAME, PHASE_NAME_RULE } from "../names.ts";

/** The possible states of a phase. */
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

/** The state of a command, derived from its phases on every save. */
export interface CheckpointState {
  readonly current_phase: string | null;
  readonly completed_phases: readonly string[];
  readonly pending_phases: readonly string[];
}

/** Whether `/ship` may continue; applies to one commit. */
export interface Gate {
  readonly ship_allowed: boolean;
  readonly blockers: readonly string[];
  /** The commit that was checked; a gate of another commit allows nothing. */
  readonly head_commit?: string | null | undefined;
}

/** A step of the run, stored so that the history can be rebuilt. */
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
  /** HEAD when the run began, or when its move was last accepted. */
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

/** Fields of the caller's own. */
interface Foreign {
  readonly [field: string]: unknown;
}

/** A change to a phase; fields of your own are preserved. */
export interface PhasePatch extends Partial<Phase> {
  /** Lets a completed phase be worked on again. */
  readonly reopen?: boolean | undefined;
  readonly [field: string]: unknown;
}

/** A phase file as it may be saved: missing fields are filled in, fields of your own are preserved. */
export interface CheckpointInput {
  readonly phases?: Readonly<Record<string, PhasePatch | Phase>> | undefined;
  readonly state?: (Partial<CheckpointState> & Foreign) | CheckpointState | undefined;
  readonly gate?: (Gate & Foreign) | Gate | null | undefined;
  /** The revision that was loaded; a save over a newer one is refused. */
  readonly revision?: number | undefined;
  readonly [field: string]: unknown;
}

const time = v.pipe(v.string(), v.isoTimestamp("expected a time such as 2026-01-31T12:00:00.000Z"));
const commit = v.pipe(v.string(), v.maxLength(100, "expected the name of a commit"));
const status = v.picklist(PHASE_STATUSES);
const phaseName = v.pipe(v.string(), v.regex(PHASE_NAME, PHASE_NAME_RULE));
const files = v.nullish(v.array(v.string()));

const phase = v.looseObject({
  status,
  started_at: v.nullish(v.pipe(time, v.description("When it was first worked on."))),
  updated_at: v.nullish(time),
  context_summary: v.nullish(
    v.pipe(v.string(), v.description("What the next phase needs to know: at most 500 tokens, counted by white space.")),
  ),
  files_created: files,
  files_modified: files,
  error: v.nullish(v.pipe(v.string(), v.description("Why it failed."))),
});

const event = v.looseObject({
  at: time,
  phase: v.nullable(v.pipe(phaseName, v.description("Null for the run as a whole."))),
  status,
  head_commit: v.nullable(commit),
});

/** The schema of a phase file; unknown fields are preserved. */
export const CheckpointSchema: v.GenericSchema<unknown, UnifiedCheckpoint> = v.looseObject({
  command: v.picklist(COMMAND_NAMES),
  feature: v.nullable(v.string()),
  version: v.literal(1),
  revision: v.pipe(
    v.number(),
    v.integer("expected a whole number"),
    v.minValue(0, "expected 0 or more"),
    v.description("Goes up by one with every save; a save of an older one is refused."),
  ),
  head_commit: v.pipe(v.nullable(commit), v.description("HEAD at the last save.")),
  base_commit: v.pipe(v.nullable(commit), v.description("HEAD when the run began, or when its move was accepted.")),
  started_at: time,
  updated_at: time,
  completed_at: v.nullish(time),
  state: v.pipe(
    v.looseObject({
      current_phase: v.nullable(v.string()),
      completed_phases: v.array(v.string()),
      pending_phases: v.array(v.string()),
    }),
    v.description("Derived from the phases on every save."),
  ),
  phases: v.pipe(v.record(phaseName, phase), v.description("The phases in their order.")),
  gate: v.nullish(
    v.looseObject({
      ship_allowed: v.boolean(),
      blockers: v.array(v.string()),
      head_commit: v.nullish(v.pipe(commit, v.description("A gate of another commit than HEAD allows nothing."))),
    }),
  ),
  events: v.pipe(v.array(event), v.description("The newest steps of the runs, oldest first.")),
});

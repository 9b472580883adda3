import * as v from "valibot";
import { COMMAND_NAMES } from "../commands.ts";
import { PHASE_NAME, PHASE_NAME_RULE } from "../names/phase-name.ts";
import { PHASE_STATUSES, type UnifiedCheckpoint } from "./types.ts";

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

/** The shape of a checkpoint file; fields that it does not name are kept. */
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

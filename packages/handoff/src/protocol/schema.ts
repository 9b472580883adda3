import * as v from "valibot";
import type { HandoffRequest, HandoffResponse } from "./types.ts";
import { DECISIONS, MODES, RESPONSE_STATUSES } from "./types.ts";

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

import { categorize, type CheckId, type Rules } from "@agent-checkpoint/categories";
import { TELECLAUDE } from "@agent-checkpoint/categories/defaults";
import type { TurnTimeline } from "@agent-checkpoint/transcript";
import type { Check, CheckInput } from "./checks/check.ts";
import { configChanged } from "./checks/config-changed.ts";
import { editWithoutRead } from "./checks/edit-without-read.ts";
import { failedCommand } from "./checks/failed-command.ts";
import { type Gaps, verificationGaps } from "./checks/verification-gaps.ts";
import { wideChange } from "./checks/wide-change.ts";
import { workingSlug } from "./checks/working-slug.ts";
import { findRuns } from "./evidence/find-runs.ts";
import type { TraceInput } from "./evidence/trace-action.ts";
import { logWindow } from "./log-window.ts";
import { readTurn } from "./turn/read-turn.ts";
import type { CheckpointContext, Observation } from "./types.ts";

/** The checks in the order of their observations. */
const CHECKS: readonly { readonly id: CheckId; readonly check: Check }[] = [
  { id: "failed-command", check: failedCommand },
  { id: "edit-without-read", check: editWithoutRead },
  { id: "wide-change", check: wideChange },
  { id: "working-slug", check: workingSlug },
  { id: "config-changed", check: configChanged },
];

/** Everything that a verdict rests on; the verdict and its explanation are both made of it. */
export interface Weighing extends TraceInput {
  readonly changedFiles: readonly string[];
  readonly gaps: Gaps;
  readonly findings: readonly Observation[];
}

/** Sorts the files, reads the turn, looks for evidence of what they ask for, and runs the checks. */
export function weighTurn(gitFiles: readonly string[], timeline: TurnTimeline, context: CheckpointContext): Weighing {
  const rules: Rules = context.rules ?? TELECLAUDE;
  const files = categorize(gitFiles, rules);
  const turn = timeline.hasData ? readTurn(timeline, context) : null;
  // Without its opening prompt nobody knows where the turn began.
  const isWhole = timeline.hasData && timeline.isWhole && timeline.prompt !== null;
  const facts = context.repository ?? null;
  const runs = turn === null ? [] : findRuns(turn, facts);
  const trace: TraceInput = { files, rules, turn, runs, facts, place: context };
  const gaps = verificationGaps({ ...trace, isWhole, window: logWindow(timeline, context) });
  const input: CheckInput = {
    ...trace,
    changedFiles: gitFiles,
    workingSlug: context.workingSlug,
    plan: context.plan ?? null,
    configFile: context.configFile ?? null,
  };
  const findings = [
    ...gaps.observations,
    ...CHECKS.filter(({ id }) => rules.checks[id]).flatMap(({ check }) => check(input)),
  ];
  return { ...trace, changedFiles: gitFiles, gaps, findings };
}

import { categorize, type CheckId, type RuleMode, type Rules } from "@agent-checkpoint/categories";
import { TELECLAUDE } from "@agent-checkpoint/categories/defaults";
import type { Check, CheckInput } from "./checks/check.ts";
import { failedCommand } from "./checks/failed-command.ts";
import { configChanged, editWithoutRead, wideChange, workingSlug } from "./checks/hygiene.ts";
import { type Gaps, logWindow, verificationGaps } from "./checks/verification-gaps.ts";
import { findRuns } from "./evidence/find-runs.ts";
import type { TraceInput } from "./evidence/trace-action.ts";
import { readTurn } from "./turn/read-turn.ts";
import type { CheckpointContext, CheckpointResult, Observation, TurnFacts } from "./types.ts";

/** The checks in the order of their observations. */
const CHECKS: readonly { readonly id: CheckId; readonly check: Check }[] = [
  { id: "failed-command", check: failedCommand },
  { id: "edit-without-read", check: editWithoutRead },
  { id: "wide-change", check: wideChange },
  { id: "working-slug", check: workingSlug },
  { id: "config-changed", check: configChanged },
];

/** Everything that a verdict rests on; both the verdict and its explanation are built from it. */
export interface Weighing extends TraceInput {
  readonly changedFiles: readonly string[];
  readonly gaps: Gaps;
  readonly findings: readonly Observation[];
  readonly quiet: CheckpointResult["quiet"];
  readonly modeOf: (rule: string) => RuleMode;
}

/** Sorts the files, reads the turn, looks for evidence of what they ask for, and runs the checks. */
export function weighTurn(gitFiles: readonly string[], timeline: TurnFacts, context: CheckpointContext): Weighing {
  const rules: Rules = context.rules ?? TELECLAUDE;
  const files = categorize(gitFiles, rules);
  const turn = timeline.hasData ? readTurn(timeline, context) : null;
  // Without its opening prompt it is unknown where the turn began.
  const isWhole = timeline.hasData && timeline.isWhole && timeline.prompt !== null;
  const facts = context.repository ?? null;
  const runs = turn === null ? [] : findRuns(turn, facts);
  const trace: TraceInput = { files, rules, turn, runs, facts, place: context };
  const modeOf = (rule: string): RuleMode => context.modes?.[rule] ?? "require";
  const gaps = verificationGaps({ ...trace, isWhole, window: logWindow(timeline, context), modeOf });
  const input: CheckInput = {
    ...trace,
    changedFiles: gitFiles,
    workingSlug: context.workingSlug,
    plan: context.plan ?? null,
    haveRulesChanged: context.haveRulesChanged === true,
    lastWords: (timeline.hasData ? timeline.lastWords : undefined) ?? "",
  };
  const found = CHECKS.filter(({ id }) => rules.checks[id] && modeOf(id) !== "off").flatMap(({ check }) =>
    check(input),
  );
  const findings = [
    ...gaps.observations,
    ...found
      .filter(({ check }) => modeOf(check) !== "shadow")
      .map((one) => (modeOf(one.check) === "require" ? one : { ...one, isFailure: false })),
  ];
  const unsaid = found.flatMap(({ check, isFailure }) => {
    const mode = modeOf(check);
    return isFailure && (mode === "advise" || mode === "shadow") ? [[check, mode] as const] : [];
  });
  const quiet = { ...gaps.quiet, ...Object.fromEntries(unsaid) };
  return { ...trace, changedFiles: gitFiles, gaps, findings, quiet, modeOf };
}

/**
 * The verdict on a turn: what the changed files ask for, less what the turn shows as done, and the observations worth mentioning.
 * The transcript only ever takes an action away; an action in doubt stays, an observation in doubt is dropped.
 */
export function runHeuristics(
  gitFiles: readonly string[],
  timeline: TurnFacts,
  context: CheckpointContext,
): CheckpointResult {
  return verdictOf(weighTurn(gitFiles, timeline, context));
}

/** The verdict of a weighing. */
export function verdictOf({ files, gaps, findings, quiet, modeOf }: Weighing): CheckpointResult {
  const isCaptureOnly = files.matches.length === 0 && files.withoutRule.length === 0;
  return {
    categories: files.matches
      .filter(({ category }) => category.alone === undefined || files.isTestsOnly)
      .map(({ category }) => category.id),
    requiredActions: gaps.actions.map(({ instruction }) => instruction),
    observations: findings.map(({ text }) => text),
    isAllClear:
      !isCaptureOnly &&
      gaps.traces.some(({ action }) => modeOf(action.id) !== "shadow") &&
      gaps.actions.length === 0 &&
      findings.length === 0 &&
      files.withoutRule.length === 0,
    isCaptureOnly,
    files,
    actions: gaps.actions,
    evidence: gaps.traces.flatMap(({ steps }) =>
      steps.flatMap(({ evidence }) => (evidence.status === "found" ? [evidence.sighting.call.record.id] : [])),
    ),
    findings,
    quiet,
  };
}

import { categorize, type CheckId, PRESETS, type Rules } from "@agent-checkpoint/categories";
import type { TurnTimeline } from "@agent-checkpoint/transcript";
import type { Check, CheckInput } from "./checks/check.ts";
import { configChanged } from "./checks/config-changed.ts";
import { editWithoutRead } from "./checks/edit-without-read.ts";
import { failedCommand } from "./checks/failed-command.ts";
import { verificationGaps } from "./checks/verification-gaps.ts";
import { wideChange } from "./checks/wide-change.ts";
import { workingSlug } from "./checks/working-slug.ts";
import { logWindow } from "./log-window.ts";
import { readTurn } from "./turn/read-turn.ts";
import type { CheckpointContext, CheckpointResult } from "./types.ts";

/** The checks in the order of their observations. */
const CHECKS: readonly { readonly id: CheckId; readonly check: Check }[] = [
  { id: "failed-command", check: failedCommand },
  { id: "edit-without-read", check: editWithoutRead },
  { id: "wide-change", check: wideChange },
  { id: "working-slug", check: workingSlug },
  { id: "config-changed", check: configChanged },
];

/**
 * The verdict on a turn: what the changed files ask for, less what the turn shows as done, and what is worth saying.
 * The transcript only ever takes an action away; an action in doubt stays, an observation in doubt is dropped.
 */
export function runHeuristics(
  gitFiles: readonly string[],
  timeline: TurnTimeline,
  context: CheckpointContext,
): CheckpointResult {
  const rules: Rules = context.rules ?? PRESETS.teleclaude;
  const files = categorize(gitFiles, rules);
  const turn = timeline.hasData ? readTurn(timeline, context) : null;
  // Without its opening prompt nobody knows where the turn began.
  const isWhole = timeline.hasData && timeline.isWhole && timeline.prompt !== null;
  const gaps = verificationGaps({ files, rules, turn, isWhole, window: logWindow(timeline, context) });
  const input: CheckInput = {
    changedFiles: gitFiles,
    files,
    turn,
    place: context,
    rules,
    workingSlug: context.workingSlug,
    plan: context.plan ?? null,
    configFile: context.configFile ?? null,
  };
  const findings = [
    ...gaps.observations,
    ...CHECKS.filter(({ id }) => rules.checks[id]).flatMap(({ check }) => check(input)),
  ];
  const isCaptureOnly = files.matches.length === 0 && files.withoutRule.length === 0;
  return {
    categories: files.matches
      .filter(({ category }) => category.alone === undefined || files.isTestsOnly)
      .map(({ category }) => category.id),
    requiredActions: gaps.actions.map(({ instruction }) => instruction),
    observations: findings.map(({ text }) => text),
    isAllClear: !isCaptureOnly && gaps.actions.length === 0 && findings.length === 0 && files.withoutRule.length === 0,
    isCaptureOnly,
    files,
    actions: gaps.actions,
    findings,
  };
}

import type { TurnTimeline } from "@agent-checkpoint/transcript";
import type { CheckpointContext, CheckpointResult } from "./types.ts";
import { type Weighing, weighTurn } from "./weigh-turn.ts";

/**
 * The verdict on a turn: what the changed files ask for, less what the turn shows as done, and what is worth saying.
 * The transcript only ever takes an action away; an action in doubt stays, an observation in doubt is dropped.
 */
export function runHeuristics(
  gitFiles: readonly string[],
  timeline: TurnTimeline,
  context: CheckpointContext,
): CheckpointResult {
  return verdictOf(weighTurn(gitFiles, timeline, context));
}

/** The verdict that a weighing comes to. */
export function verdictOf({ files, gaps, findings }: Weighing): CheckpointResult {
  const isCaptureOnly = files.matches.length === 0 && files.withoutRule.length === 0;
  return {
    categories: files.matches
      .filter(({ category }) => category.alone === undefined || files.isTestsOnly)
      .map(({ category }) => category.id),
    requiredActions: gaps.actions.map(({ instruction }) => instruction),
    observations: findings.map(({ text }) => text),
    isAllClear:
      !isCaptureOnly &&
      gaps.traces.length > 0 &&
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
  };
}

import { TESTS_ACTION } from "@agent-checkpoint/categories";
import { type CheckpointContext, type CheckpointResult, runHeuristics } from "@agent-checkpoint/heuristics";
import type { TurnTimeline } from "@agent-checkpoint/transcript";

/**
 * The verdict on a turn, with what the repository's own files say where tests would be asked for.
 *
 * Facts only ever take that question away, so a stop that asks for no tests does not pay for reading them.
 */
export async function judgeWithFacts(
  files: readonly string[],
  timeline: TurnTimeline,
  context: CheckpointContext,
): Promise<CheckpointResult> {
  return runHeuristics(files, timeline, await withFacts(files, timeline, context));
}

/** The context of a stop, with facts about the repository if the verdict depends on them. */
export async function withFacts(
  files: readonly string[],
  timeline: TurnTimeline,
  context: CheckpointContext,
): Promise<CheckpointContext> {
  const step = context.rules?.actions.find(({ id }) => id === TESTS_ACTION)?.steps[0];
  if (context.repository !== undefined || step === undefined || step.evidence.length > 0) return context;
  if (!runHeuristics(files, timeline, context).actions.some(({ id }) => id === TESTS_ACTION)) return context;
  const { readRepository } = await import("@agent-checkpoint/repository");
  return { ...context, repository: await readRepository(context.projectPath) };
}

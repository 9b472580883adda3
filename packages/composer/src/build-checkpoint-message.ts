import { type CheckpointContext, runHeuristics } from "@agent-checkpoint/heuristics";
import type { TurnTimeline } from "@agent-checkpoint/transcript";
import { renderMessage } from "./message/render-message.ts";
import { readPlan } from "./rules/read-plan.ts";

/** The message for changed files and a turn; the working slug's plan is read where the context does not bring it. */
export function buildCheckpointMessage(
  gitFiles: readonly string[],
  timeline: TurnTimeline,
  context: CheckpointContext,
): string {
  const plan = context.plan === undefined ? readPlan(context.projectPath, context.workingSlug) : context.plan;
  return renderMessage(runHeuristics(gitFiles, timeline, { ...context, plan }), context.rules);
}

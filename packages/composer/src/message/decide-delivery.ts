import type { Rules } from "@agent-checkpoint/categories";
import type { CheckpointResult } from "@agent-checkpoint/heuristics";

/** Why a checkpoint is delivered or stays silent. */
export type DeliveryReason =
  | "missing-actions"
  | "unresolved-failures"
  | "observations"
  | "all-clear"
  | "capture-only"
  | "unchanged"
  | "git-unknown"
  | "config-problem";

/** Whether a message goes out, and why. */
export interface Delivery {
  readonly deliver: boolean;
  readonly reason: DeliveryReason;
}

/** Whether a verdict is worth a block under these rules. */
export function decideDelivery(result: CheckpointResult, rules: Rules): Delivery {
  if (result.isCaptureOnly) return { deliver: rules.captureOnly === "deliver", reason: "capture-only" };
  if (result.actions.length > 0) return { deliver: true, reason: "missing-actions" };
  if (result.findings.some(({ isFailure }) => isFailure)) return { deliver: true, reason: "unresolved-failures" };
  const isNothingExpected = result.findings.length === 0 && result.files.withoutRule.length === 0;
  if (result.isAllClear || isNothingExpected) return { deliver: rules.allClear === "deliver", reason: "all-clear" };
  return { deliver: rules.hygieneBlocks, reason: "observations" };
}

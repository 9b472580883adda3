import { isSaved } from "./outcome.ts";

/** What is told to programs that read a hook's answer. */
export interface AutonomousExecution {
  readonly enabled: boolean;
  readonly skill: "checkpoint";
  readonly executed_directly: boolean;
  readonly router_decision: {
    readonly outcome: string;
    readonly usage_percent: number | null;
    readonly threshold: number;
    readonly commit: string | null;
  };
}

/** The record of a save beside a hook's decision. */
export function executionOf(facts: {
  readonly outcome: string;
  readonly percent: number | null;
  readonly threshold: number;
  readonly commit: string | null;
}): AutonomousExecution {
  const { outcome, percent, threshold, commit } = facts;
  return {
    enabled: true,
    skill: "checkpoint",
    executed_directly: isSaved(outcome),
    router_decision: {
      outcome,
      usage_percent: percent === null ? null : Math.round(percent * 10) / 10,
      threshold,
      commit,
    },
  };
}

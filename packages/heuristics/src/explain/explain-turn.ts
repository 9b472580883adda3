import { verdictOf } from "../run-heuristics.ts";
import type { CheckpointContext, TurnFacts } from "../types.ts";
import { weighTurn } from "../weigh-turn.ts";
import { explainActions } from "./explain-actions.ts";
import { explainFiles } from "./explain-files.ts";
import type { Explanation } from "./explanation.ts";
import { referToCall } from "./refer-to-call.ts";

/** How the verdict of `runHeuristics` on the same turn comes about: which file met which pattern, which call counts and why not. */
export function explainTurn(gitFiles: readonly string[], timeline: TurnFacts, context: CheckpointContext): Explanation {
  const weighing = weighTurn(gitFiles, timeline, context);
  const calls = weighing.turn?.calls ?? [];
  return {
    result: verdictOf(weighing),
    files: explainFiles(weighing),
    actions: explainActions(weighing),
    observations: weighing.findings.map((finding) => ({
      ...finding,
      calls: calls.filter(({ number }) => finding.calls.includes(number)).map(referToCall),
    })),
    callCount: weighing.turn === null ? null : calls.length,
  };
}

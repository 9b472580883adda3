import type { Repository } from "../git/read-repository.ts";
import { pushCommit } from "../push/push-commit.ts";
import type { SaveReport } from "./outcome.ts";
import type { SaveOptions } from "./save-request.ts";

const FIRST_PUSH_MS = 8000;

/** Tries a push as long as there is time; the rest is done after the answer. */
export async function pushSaved(
  report: SaveReport,
  { root, branch }: Repository,
  { deadline, onStep }: { readonly deadline: number; readonly onStep: NonNullable<SaveOptions["onStep"]> },
): Promise<SaveReport> {
  const { commit: id } = report;
  if (id === null) return report;
  const timeoutMs = Math.max(500, Math.min(FIRST_PUSH_MS, deadline - performance.now()));
  const pushed = await pushCommit({ root, branch, commit: id, timeoutMs });
  onStep("push", pushed.status === "pushed" ? pushed.remote : `${pushed.why}: ${pushed.detail}`);
  if (pushed.status === "pushed") return { ...report, outcome: "committed_pushed" };
  return {
    ...report,
    outcome: "committed_push_deferred",
    detail: `not pushed (${pushed.why}): ${pushed.detail}`,
    pushLater: pushed.isWorthRetrying ? { root, branch, commit: id } : null,
  };
}

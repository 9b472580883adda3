import { setTimeout as sleep } from "node:timers/promises";
import { pushCommit, type PushOutcome, type PushRequest } from "./push-commit.ts";

/** How long to wait before each further try. */
const PAUSES_MS = [5000, 30_000, 120_000, 600_000];

/** Pushes until it succeeds, another try cannot help, or the tries are used up. */
export async function pushWithRetries(
  request: PushRequest,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<PushOutcome> {
  let outcome = await pushCommit(request);
  for (const pause of pausesMs) {
    if (outcome.status === "pushed" || !outcome.isWorthRetrying) return outcome;
    await sleep(pause);
    outcome = await pushCommit(request);
  }
  return outcome;
}

import { listRollouts } from "../rollouts/list-rollouts.ts";
import type { TurnToJudge } from "./live-threads.ts";
import { finishedTurnAt } from "./polled-thread.ts";

const RECENT_MS = 10 * 60_000;

/** The threads that wait for their user with a turn that finished in the last ten minutes. */
export function* recentTurns(sessions: string, now: Date): Generator<TurnToJudge, void, undefined> {
  for (const { path } of listRollouts(sessions)) {
    const found = finishedTurnAt(path);
    const age = found === null ? Infinity : now.getTime() - found.turn.finishedAt.getTime();
    if (found !== null && age < RECENT_MS) yield found;
  }
}

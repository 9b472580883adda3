import { statSync } from "node:fs";
import { isOwnMessage } from "@agent-checkpoint/composer";
import { followRollout, type RolloutPosition, type RolloutState } from "@agent-checkpoint/transcript/rollouts";
import { advance, type FinishedTurn, type LiveThread, newProgress, type TurnToJudge } from "./live-threads.ts";
import { listRollouts } from "../rollouts/list-rollouts.ts";

/**
 * The finished turn at a rollout's end, followed by reading the file again whenever it is asked; null if there is none.
 * Codex before 0.118 writes no ends: there a turn has finished when Codex itself has reported it.
 */
export function finishedTurnAt(path: string, isReported = false): TurnToJudge | null {
  const reading = followRollout(path, Number.POSITIVE_INFINITY);
  if (reading.status !== "read") return null;
  const { state } = reading.position;
  const turn = lastTurn(path, state) ?? (isReported ? turnWithoutEnd(path, state) : null);
  return turn === null ? null : { turn, live: polledThread(path, reading.position) };
}

function lastTurn(rolloutPath: string, { thread, turn }: RolloutState): FinishedTurn | null {
  if (thread === null || thread.kind !== "interactive" || turn?.end == null || turn.startedBy === "exec") return null;
  const { how, at, hasMessage, hasError } = turn.end;
  if (how !== "finished" || !hasMessage || hasError) return null;
  const heardHook = turn.messages.some(({ from, opening }) => from === "hook" && isOwnMessage(opening));
  return { thread, rolloutPath, turnId: turn.id, finishedAt: at ?? new Date(), heardHook };
}

function turnWithoutEnd(rolloutPath: string, { thread, turn }: RolloutState): FinishedTurn | null {
  if (thread === null || thread.kind !== "interactive" || turn === null || turn.id !== null) return null;
  return { thread, rolloutPath, turnId: null, finishedAt: new Date(), heardHook: false };
}

function polledThread(path: string, from: RolloutPosition): LiveThread {
  const progress = newProgress();
  let position = from;
  const refresh = () => {
    const reading = followRollout(path, position);
    if (reading.status !== "read") return;
    position = reading.position;
    for (const event of reading.events) advance(progress, event);
  };
  return {
    isStillLast: () => {
      refresh();
      return progress.started === 0;
    },
    hasReceived: (text) => {
      refresh();
      return progress.received.some((message) => message.text === text.trim());
    },
  };
}

const RECENT_MS = 10 * 60_000;

/** The threads that wait for their user with a turn that finished in the last ten minutes. */
export function* recentTurns(sessions: string, now: Date): Generator<TurnToJudge, void, undefined> {
  for (const { path } of listRollouts(sessions)) {
    const found = finishedTurnAt(path);
    const age = found === null ? Infinity : now.getTime() - found.turn.finishedAt.getTime();
    if (found !== null && age < RECENT_MS) yield found;
  }
}

const OPEN_FOR_MS = 7 * 24 * 60 * 60_000;

/**
 * Whether a folder has had one interactive thread only in the last week.
 * An older one may still be on a screen, but not on one in use.
 */
export function isOnlyThreadInFolder(sessions: string, folder: string, now: Date): boolean {
  const ids = new Set<string>();
  for (const { path } of listRollouts(sessions)) {
    if (now.getTime() - modifiedAt(path) > OPEN_FOR_MS) continue;
    const reading = followRollout(path, Number.POSITIVE_INFINITY);
    const thread = reading.status === "read" ? reading.position.state.thread : null;
    if (thread?.kind === "interactive" && thread.cwd === folder) ids.add(thread.id);
    if (ids.size > 1) return false;
  }
  return ids.size === 1;
}

function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

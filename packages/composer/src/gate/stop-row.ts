import type { CheckpointResult } from "@agent-checkpoint/heuristics";
import type { Stop, StopTrail } from "@agent-checkpoint/store";
import type { StopEvent } from "./events.ts";
import type { Place } from "./place.ts";

/** Why a stop passed or was blocked, and on what verdict. */
export interface StopVerdict {
  readonly reason: string;
  readonly turn: string | null;
  readonly result?: CheckpointResult | null;
  /** What it was judged on; null where nothing was looked at. */
  readonly trail?: StopTrail | null;
  /** When the judgement began, in milliseconds since the process did; its start, where a process lives for one stop. */
  readonly startedAt?: number;
  /** What came of saving the session's work, where that was looked at. */
  readonly save?: string | undefined;
}

/** The record of a stop that passes; a block is recorded as one when it is claimed. */
export function stopRow(
  event: StopEvent,
  { agent, now, route, isCanary }: Place,
  { reason, turn, result, trail = null, startedAt = 0, save }: StopVerdict,
): Stop {
  return {
    agent,
    sessionId: event.sessionId ?? "",
    projectPath: event.projectPath,
    turn,
    at: now,
    decision: "pass",
    reason,
    actions: result?.actions.map(({ id }) => id) ?? [],
    observations: result?.observations ?? [],
    durationMs: Math.round(millisecondsSinceStart() - startedAt),
    route,
    isCanary,
    trail,
    ...(save !== undefined && { save }),
  };
}

/** What `performance.now()` says as well, which takes a millisecond to load. */
function millisecondsSinceStart(): number {
  return process.uptime() * 1000;
}

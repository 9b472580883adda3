import type { CheckpointResult } from "@agent-checkpoint/heuristics";
import type { Stop, StopTrail } from "@agent-checkpoint/store";
import type { TurnTimeline } from "@agent-checkpoint/transcript";
import type { Moment, Place } from "./events.ts";

/** Why a stop passed or was blocked, and on what verdict. */
export interface StopVerdict {
  readonly reason: string;
  readonly turn: string | null;
  readonly result?: CheckpointResult | null;
  /** What it was judged on; null if nothing was looked at. */
  readonly trail?: StopTrail | null;
  /** When the judgement began, in milliseconds since the process did; its start, where a process lives for one stop. */
  readonly startedAt?: number | undefined;
  /** What came of saving the session's work. */
  readonly save?: string | undefined;
}

/** The record of a stop that passes; a block is recorded as one when it is claimed. */
export function stopRow(
  event: Moment,
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
    observations: result?.findings ?? [],
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

/** What is known of a stop when it is decided; the earlier that is, the less. */
export interface TrailFacts {
  readonly promptAt: Date | null;
  readonly timeline?: TurnTimeline | undefined;
  readonly changedFiles?: readonly string[] | null;
  readonly workingSlug?: string | null;
}

/** What a stop was judged on: enough to find the same turn and files again, and no text of either. */
export function trailOf(
  { transcriptPath }: Moment,
  { promptAt, timeline, changedFiles = null, workingSlug = null }: TrailFacts,
): StopTrail {
  return {
    transcriptPath,
    turnStart: timeline?.hasData === true ? (timeline.prompt?.offset ?? null) : null,
    readUpTo: timeline?.hasData === true ? timeline.size : null,
    promptAt,
    changedFiles,
    changedFileCount: changedFiles?.length ?? null,
    workingSlug,
  };
}

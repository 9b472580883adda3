/** A time in which tools of an agent ran; without an end they may still run. */
export interface ToolInterval {
  readonly from: Date;
  readonly to: Date | null;
}

/** When tools of agents ran, and since when that is known. */
export interface Activity {
  readonly since: Date;
  readonly intervals: readonly ToolInterval[];
}

/** Whose a change is; `unknown` where the times cannot tell. */
export type Author = "agent" | "somebody else" | "unknown";

/**
 * Whose a change since a checkpoint is, by the times of what is there now: its contents' and its own (`mtime`, `ctime`).
 *
 * It is an agent's as soon as one of them falls into an interval: a copy may keep the contents' old time, and a mere
 * rename renews the other. A time before the checkpoint says nothing, since there was something else there then.
 */
export function authorOf(times: readonly Date[], activity: Activity, checkpointAt: Date): Author {
  const since = times.filter((time) => time >= checkpointAt);
  if (since.some((time) => activity.intervals.some((interval) => isWithin(time, interval, SLACK_MS)))) return "agent";
  return since.length === 0 || since.some((time) => time < activity.since) ? "unknown" : "somebody else";
}

/** Whether a time lies in an interval, or this close to it. */
export function isWithin(time: Date, { from, to }: ToolInterval, slackMs: number): boolean {
  return time.getTime() >= from.getTime() - slackMs && (to === null || time.getTime() <= to.getTime() + slackMs);
}

/** A tool writes a moment after its call is recorded, and a hook of the agent a moment after its end. */
const SLACK_MS = 2000;

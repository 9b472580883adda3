import type { CheckpointContext, TurnFacts } from "./types.ts";

const LEAST_MINUTES = 2;

/** How far back the logs are to be read: whole minutes from the opening prompt to the stop, at least two. */
export function logWindow(timeline: TurnFacts, { promptAt, now }: CheckpointContext): string {
  const start = promptAt ?? (timeline.hasData ? timeline.prompt?.timestamp : null) ?? null;
  if (start === null || now === undefined) return `${LEAST_MINUTES}m`;
  const minutes = Math.ceil((now.getTime() - start.getTime()) / 60_000);
  return `${Number.isFinite(minutes) ? Math.max(LEAST_MINUTES, minutes) : LEAST_MINUTES}m`;
}

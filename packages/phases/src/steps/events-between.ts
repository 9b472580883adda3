import type { PhaseEvent, UnifiedCheckpoint } from "../document/types.ts";

/** What of a checkpoint its events are made from. */
type Seen = Pick<UnifiedCheckpoint, "phases" | "started_at" | "completed_at">;

/** How many events a checkpoint keeps; older ones are in the history of the store. */
export const MOST_EVENTS = 100;

/** The steps that lead from one state of a checkpoint to the next. */
export function eventsBetween(
  before: Seen | null,
  after: Seen,
  stamp: Pick<PhaseEvent, "at" | "head_commit">,
): PhaseEvent[] {
  const isSameRun = before !== null && before.started_at === after.started_at;
  const known = isSameRun ? before.phases : {};
  const steps = Object.entries(after.phases)
    .filter(([name, { status }]) => status !== (Object.hasOwn(known, name) ? known[name]?.status : "pending"))
    .map(([phase, { status }]) => ({ phase, status }));
  const isEnded = typeof after.completed_at === "string" && !(isSameRun && typeof before.completed_at === "string");
  return [
    ...(isSameRun ? [] : [{ phase: null, status: "in_progress" as const }]),
    ...steps,
    ...(isEnded ? [{ phase: null, status: "complete" as const }] : []),
  ].map((step) => ({ at: stamp.at, ...step, head_commit: stamp.head_commit }));
}

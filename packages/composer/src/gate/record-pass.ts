import type { Store } from "@agent-checkpoint/store";
import type { PassReason } from "./decide-stop.ts";
import type { StopEvent } from "./events.ts";
import type { Place } from "./place.ts";
import type { SaveLook } from "./saving.ts";
import type { StopFacts } from "./stop-facts.ts";
import { stopRow } from "./stop-row.ts";
import { type TrailFacts, trailOf } from "./trail-of.ts";

/** A stop that passes without its content being weighed. */
export interface PassedStop {
  readonly store: Store;
  readonly startedAt: number;
  readonly facts: StopFacts;
  readonly reason: PassReason;
  readonly trail: TrailFacts;
  /** What came of looking whether work is to be saved; null where nobody looked. */
  readonly look?: SaveLook | null;
}

/** Records a stop that passes, and what is to be remembered of the session's context. */
export async function recordPass(
  event: StopEvent,
  place: Place,
  { store, startedAt, facts, reason, trail, look = null }: PassedStop,
): Promise<void> {
  const turn = facts.known[0] ?? null;
  const row = { reason, turn, trail: trailOf(event, trail), startedAt, save: look?.outcome };
  await store.recordStop(stopRow(event, place, row));
  if (look?.mark !== undefined)
    await store.updateSession(place.agent, event.sessionId ?? "", { contextMark: look.mark });
}

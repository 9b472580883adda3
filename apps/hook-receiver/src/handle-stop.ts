import type { AnswerExtras, Outcome, Place, StopEvent } from "@agent-checkpoint/gate";
import { stopRow } from "@agent-checkpoint/gate/stop-row";
import { appendJournal } from "@agent-checkpoint/store";
import { createSaving, isFlaggedAutonomous } from "./saving.ts";
import type { Payload } from "./wire/wire.ts";
import { withStore } from "./with-store.ts";

/** What a stop came with, and how it is answered. */
export interface StopCall {
  readonly block: (message: string, extras?: AnswerExtras) => void;
  /** Lets it go, and tells the human something. */
  readonly tell: (extras: AnswerExtras) => void;
  readonly env: NodeJS.ProcessEnv;
  readonly payload: Payload;
}

/** A stop: passed at once where the agent says it was blocked before, else judged with the store open. */
export async function handleStop(event: StopEvent, place: Place, call: StopCall): Promise<Outcome> {
  // In a loop without a person, a turn's later stops are looked at too: the context may have filled up since.
  if (event.isRepeated && !isFlaggedAutonomous(call.env)) {
    appendJournal(place.home, stopRow(event, place, { reason: "stop-hook-active", turn: event.promptId }));
    return { problem: null };
  }
  // Judging needs git, rules and a shell's grammar; a stop that passes by its flag needs none of them.
  const { judgeStop } = await import("@agent-checkpoint/gate");
  const saving = place.isCanary === true ? undefined : await createSaving(place, call);
  return withStore(place, (store) => judgeStop(event, place, { store, send: call.block, saving }));
}

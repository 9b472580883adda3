import type { Outcome, Place, StopEvent } from "@agent-checkpoint/gate";
import { stopRow } from "@agent-checkpoint/gate/stop-row";
import { appendJournal } from "@agent-checkpoint/store";
import { withStore } from "./with-store.ts";

/** A stop: passed at once where the agent says it was blocked before, else judged with the store open. */
export async function handleStop(event: StopEvent, place: Place, send: (message: string) => void): Promise<Outcome> {
  if (event.isRepeated) {
    appendJournal(place.home, stopRow(event, place, { reason: "stop-hook-active", turn: event.promptId }));
    return { problem: null };
  }
  // Judging needs git, rules and a shell's grammar; a stop that passes by its flag needs none of them.
  const { judgeStop } = await import("@agent-checkpoint/gate");
  return withStore(place, (store) => judgeStop(event, place, { store, send }));
}

import {
  judgeStop,
  notePrompt,
  type Outcome,
  type PromptEvent,
  type StopEvent,
} from "@agent-checkpoint/gate/recording";
import type { StopCall } from "./handle-stop.ts";
import type { HookPlace } from "./hook-place.ts";
import { createSaving } from "./saving.ts";
import { withStore } from "./with-store.ts";

/** Notes a prompt in the store. */
export async function recordPrompt(event: PromptEvent, place: HookPlace): Promise<Outcome> {
  return withStore(place, (store) => notePrompt(event, place, store));
}

/** Judges a stop with the store open. */
export async function recordStop(event: StopEvent, place: HookPlace, call: StopCall): Promise<Outcome> {
  const saving = place.isCanary === true ? undefined : createSaving(place, call);
  return withStore(place, (store) =>
    judgeStop(event, place, { store, send: call.block, saving, isAlone: place.isLast }),
  );
}

export { withStore };

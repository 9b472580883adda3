import {
  judgeStop,
  notePrompt,
  type Outcome,
  type PromptEvent,
  type StopEvent,
} from "@agent-checkpoint/gate/recording";
import type { Store } from "@agent-checkpoint/store";
import type { Handled } from "./handled.ts";
import type { StopCall } from "./handle-stop.ts";
import type { HookPlace } from "./hook-place.ts";
import { keptRulesIn } from "./kept/kept-rules.ts";
import { createSaving } from "./saving.ts";
import { withStore } from "./with-store.ts";

/** Notes a prompt in the store. */
export async function recordPrompt(event: PromptEvent, place: HookPlace): Promise<Handled> {
  return recorded(place, (store, withRules) => notePrompt(event, withRules, store));
}

/** Judges a stop with the store open. */
export async function recordStop(event: StopEvent, place: HookPlace, call: StopCall): Promise<Handled> {
  const saving = place.isCanary === true ? undefined : createSaving(place, call);
  return recorded(place, (store, withRules) =>
    judgeStop(event, withRules, { store, send: call.block, saving, isAlone: place.isLast }),
  );
}

/** Handles an event with the store open and the rules of earlier events at hand. */
async function recorded(
  place: HookPlace,
  handle: (store: Store, place: HookPlace) => Promise<Outcome>,
): Promise<Handled> {
  const keptRules = keptRulesIn(place.home);
  const outcome = await withStore(place, (store) => handle(store, { ...place, keptRules }));
  return { ...outcome, hasConfig: keptRules?.wasAsked() === true };
}

export { withStore };

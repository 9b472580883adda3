import { judgeStop, type StopEvent } from "@agent-checkpoint/composer/recording";
import type { Handled } from "./handled.ts";
import type { StopCall } from "./handle-stop.ts";
import type { HookPlace } from "./hook-place.ts";
import type { HookKeptRules } from "./kept/kept-rules.ts";
import { createSaving } from "./saving.ts";
import { withStore } from "./with-store.ts";

/** Where a stop is judged, with the rules of earlier events. */
export interface StopPlace extends HookPlace {
  readonly keptRules: HookKeptRules | undefined;
}

/** Judges a stop with the store open. */
export async function recordStop(event: StopEvent, place: StopPlace, call: StopCall): Promise<Handled> {
  const saving = place.isCanary === true ? undefined : createSaving(place, call);
  const outcome = await withStore(place, (store) =>
    judgeStop(event, place, { store, send: call.block, saving, isAlone: place.isLast }),
  );
  return { ...outcome, hasConfig: place.keptRules?.wasAsked() === true };
}

export { withStore };

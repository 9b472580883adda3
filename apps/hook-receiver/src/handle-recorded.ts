import { judgeStop, type StopEvent } from "@agent-checkpoint/gate/recording";
import type { Outcome } from "@agent-checkpoint/gate";
import type { StopCall } from "./handle-stop.ts";
import type { HookPlace } from "./hook-place.ts";
import { createSaving } from "./saving.ts";
import { withStore } from "./with-store.ts";

/** Judges a stop with the store open. */
export async function recordStop(event: StopEvent, place: HookPlace, call: StopCall): Promise<Outcome> {
  const saving = place.isCanary === true ? undefined : createSaving(place, call);
  return withStore(place, (store) =>
    judgeStop(event, place, { store, send: call.block, saving, isAlone: place.isLast }),
  );
}

export { withStore };

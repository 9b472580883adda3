import type { Outcome, PromptEvent } from "@agent-checkpoint/composer";
import { notePrompt, opensTurn } from "@agent-checkpoint/composer/gate";
import { type HookPlace, withStore } from "./with-store.ts";

/** Records a prompt that opens a turn; a canary's opens none. */
export async function handlePrompt(event: PromptEvent, place: HookPlace): Promise<Outcome> {
  if (place.isCanary === true || !opensTurn(event)) return { problem: null };
  return withStore(place, (store) => notePrompt(event, place, store));
}

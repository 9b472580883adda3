import type { Outcome, Place, PromptEvent } from "@agent-checkpoint/gate";
import { notePrompt, opensTurn } from "@agent-checkpoint/gate/note-prompt";
import { withStore } from "./with-store.ts";

/** A prompt: noted where it opens a turn; the database is opened only then. A canary's opens none. */
export async function handlePrompt(event: PromptEvent, place: Place): Promise<Outcome> {
  if (place.isCanary === true || !opensTurn(event)) return { problem: null };
  return withStore(place, (store) => notePrompt(event, place, store));
}

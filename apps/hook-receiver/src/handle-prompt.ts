import { notePrompt, opensTurn, type Outcome, type Place, type PromptEvent } from "@agent-checkpoint/gate";
import { withStore } from "./with-store.ts";

/** A prompt: noted where it opens a turn; the database is opened only then. */
export async function handlePrompt(event: PromptEvent, place: Place): Promise<Outcome> {
  if (!opensTurn(event)) return { problem: null };
  return withStore(place, (store) => notePrompt(event, place, store));
}

import type { PromptEvent } from "@agent-checkpoint/gate";
import { opensTurn } from "@agent-checkpoint/gate/opens-turn";
import type { Handled } from "./handled.ts";
import type { HookPlace } from "./hook-place.ts";

/** A prompt: noted where it opens a turn; the database is opened only then. A canary's opens none. */
export async function handlePrompt(event: PromptEvent, place: HookPlace): Promise<Handled> {
  if (place.isCanary === true || !opensTurn(event)) return { problem: null };
  const { recordPrompt } = await import("./handle-recorded.ts");
  return recordPrompt(event, place);
}

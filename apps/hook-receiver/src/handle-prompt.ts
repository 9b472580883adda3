import { opensTurn, type PromptEvent } from "@agent-checkpoint/composer/gate";
import type { Handled } from "./handled.ts";
import type { HookPlace } from "./hook-place.ts";

/** A prompt: recorded if it opens a turn; a canary's opens none. */
export async function handlePrompt(event: PromptEvent, place: HookPlace): Promise<Handled> {
  if (place.isCanary === true || !opensTurn(event)) return { problem: null };
  const { recordPrompt } = await import("./handle-recorded.ts");
  return recordPrompt(event, place);
}

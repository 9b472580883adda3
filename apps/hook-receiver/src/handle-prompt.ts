import type { Outcome, PromptEvent } from "@agent-checkpoint/composer";
import { notePrompt } from "@agent-checkpoint/composer/note-prompt";
import type { HookPlace } from "./with-store.ts";

/** Records a prompt that opens a turn; a canary's opens none. */
export async function handlePrompt(event: PromptEvent, place: HookPlace): Promise<Outcome> {
  if (place.isCanary === true) return { problem: null };
  return notePrompt(event, place, async (projectPath) => {
    // Only a session's first prompt asks for the files that were dirty before it.
    const { takeBaseline } = await import("@agent-checkpoint/composer/baseline");
    return takeBaseline(projectPath, { home: place.home });
  });
}

import type { Outcome, PromptEvent } from "@agent-checkpoint/gate";
import { notePrompt } from "@agent-checkpoint/gate/note-prompt";
import type { HookPlace } from "./hook-place.ts";

/** A prompt: noted where it opens a turn; what looks at the files is loaded for a session's first. A canary's opens none. */
export async function handlePrompt(event: PromptEvent, place: HookPlace): Promise<Outcome> {
  if (place.isCanary === true) return { problem: null };
  return notePrompt(event, place, async (projectPath) => {
    const { takeBaseline } = await import("@agent-checkpoint/composer/baseline");
    return takeBaseline(projectPath, { home: place.home });
  });
}

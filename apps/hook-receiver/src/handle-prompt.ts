import type { PromptEvent } from "@agent-checkpoint/composer";
import { notePrompt } from "@agent-checkpoint/composer/note-prompt";
import type { Handled } from "./handled.ts";
import type { HookPlace } from "./hook-place.ts";

/** A prompt: noted where it opens a turn; what looks at the files is loaded for a session's first. A canary's opens none. */
export async function handlePrompt(event: PromptEvent, place: HookPlace): Promise<Handled> {
  if (place.isCanary === true) return { problem: null };
  let hasConfig = false;
  const outcome = await notePrompt(event, place, async (projectPath) => {
    const { takeFirstLook } = await import("./take-first-look.ts");
    const look = await takeFirstLook(projectPath, place.home);
    ({ hasConfig } = look);
    return look.baseline;
  });
  return { ...outcome, hasConfig };
}

import { isOwnMessage, takeBaseline } from "@agent-checkpoint/composer";
import { openStore } from "@agent-checkpoint/store";
import type { PromptEvent } from "./hook-event.ts";
import { nativeBinding } from "./native-binding.ts";
import type { HookOutcome, HookPlace } from "./run-hook.ts";
import { nameTurn } from "./turn-names.ts";

/** A human prompt starts a turn; our own text coming back, or a notification, does not. */
export async function handlePrompt(event: PromptEvent, { agent, home, now }: HookPlace): Promise<HookOutcome> {
  const { sessionId, projectPath, transcriptPath } = event;
  if (!event.isHuman || isOwnMessage(event.text)) return { problem: null };
  if (sessionId === null) return { problem: "a prompt without a session id" };
  const opened = await openStore(home, { nativeBinding: nativeBinding(), now: () => now });
  if (!opened.ok) return { problem: `store ${opened.reason}: ${opened.detail}` };
  const { store } = opened;
  try {
    const isFirst = (await store.getSession(agent, sessionId)) === null;
    const baseline = isFirst ? await takeBaseline(projectPath, home) : null;
    await store.recordPrompt({
      agent,
      sessionId,
      projectPath,
      transcriptPath,
      turn: nameTurn(event, now),
      at: now,
      ...(baseline !== null && { baseline }),
    });
    return { problem: null };
  } finally {
    await store.close();
  }
}

import { isOwnMessage } from "@agent-checkpoint/composer/texts";
import type { Store } from "@agent-checkpoint/store";
import type { PromptEvent } from "./events.ts";
import type { Outcome, Place } from "./place.ts";
import { nameTurn } from "./turn-names.ts";

/** Whether a prompt starts a turn: our own text coming back, or a notification, does not. */
export function opensTurn({ isHuman, text }: PromptEvent): boolean {
  return isHuman && !isOwnMessage(text);
}

/** Notes that a human spoke; the first prompt of a session also tells what was dirty before it. */
export async function notePrompt(event: PromptEvent, { agent, home, now }: Place, store: Store): Promise<Outcome> {
  const { sessionId, projectPath, transcriptPath } = event;
  if (!opensTurn(event)) return { problem: null };
  if (sessionId === null) return { problem: "a prompt without a session id" };
  const isFirst = (await store.getSession(agent, sessionId)) === null;
  const baseline = isFirst ? await baselineOf(projectPath, home) : null;
  await store.recordPrompt({
    agent,
    sessionId,
    projectPath,
    transcriptPath,
    turn: await nameTurn(event, now),
    at: now,
    ...(baseline !== null && { baseline }),
  });
  return { problem: null };
}

/** Git and the rules are loaded for a session's first prompt only. */
async function baselineOf(projectPath: string, home: string): Promise<Readonly<Record<string, string>> | null> {
  const { takeBaseline } = await import("@agent-checkpoint/composer");
  return takeBaseline(projectPath, home);
}

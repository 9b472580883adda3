import { takeBaseline } from "@agent-checkpoint/composer/baseline";
import type { Store } from "@agent-checkpoint/store";
import type { PromptEvent } from "./events.ts";
import type { Outcome, Place } from "./place.ts";
import { opensTurn } from "./opens-turn.ts";
import { nameTurn } from "./turn-names.ts";

/** Notes that a human spoke; the first prompt of a session also tells what was dirty before it. */
export async function notePrompt(event: PromptEvent, place: Place, store: Store): Promise<Outcome> {
  const { agent, home, now, keptRules } = place;
  const { sessionId, projectPath, transcriptPath } = event;
  if (!opensTurn(event)) return { problem: null };
  if (sessionId === null) return { problem: "a prompt without a session id" };
  const isFirst = (await store.getSession(agent, sessionId)) === null;
  const baseline = isFirst ? await takeBaseline(projectPath, { home, keptRules }) : null;
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
}

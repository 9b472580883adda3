import type { Session } from "@agent-checkpoint/store";
import type { TurnTimeline } from "@agent-checkpoint/transcript";
import { isOwnMessage } from "../message/texts.ts";
import type { Moment, PromptEvent } from "./events.ts";

/** Whether a prompt starts a turn: our own text coming back, or a notification, does not. */
export function opensTurn({ isHuman, text }: PromptEvent): boolean {
  return isHuman && !isOwnMessage(text);
}

/** What a turn is called from its prompt on: the agent's own id, else the prompt's digest and time. */
export function nameTurn({ promptId, text }: PromptEvent, at: Date): string {
  return promptId ?? `${digest(text)}@${at.getTime()}`;
}

/** What a stopping turn is known by before its transcript is read. */
export function turnNamesAtStop(
  { promptId, promptText = null }: Moment,
  session: Pick<Session, "currentTurn"> | null,
): readonly string[] {
  if (promptId !== null) return [promptId];
  const current = session?.currentTurn ?? null;
  if (current === null) return [];
  // A prompt that we did not see begin has another text than the one we saw last.
  const isSamePrompt = promptText === null || current.startsWith(`${digest(promptText)}@`);
  return isSamePrompt ? [current] : [];
}

/** The same with what the transcript tells: a turn that a notification restarted goes by its human prompt as well. */
export function turnNames(known: readonly string[], timeline: TurnTimeline): readonly string[] {
  const prompt = timeline.hasData ? timeline.prompt : null;
  if (prompt === null) return known;
  const own = prompt.id ?? `${prompt.offset}@${prompt.timestamp?.getTime() ?? 0}`;
  // Where the agent has no ids of its own, the name from the prompt event is the only one that stays the same.
  return known.length > 0 && prompt.id === null ? known : [...new Set([...known, own])];
}

/** Only where the agent has no id of its own is the library worth its loading time. */
function digest(text: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

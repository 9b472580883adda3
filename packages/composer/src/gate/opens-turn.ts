import { isOwnMessage } from "../message/texts.ts";
import type { PromptEvent } from "./events.ts";

/** Whether a prompt starts a turn: our own text coming back, or a notification, does not. */
export function opensTurn({ isHuman, text }: PromptEvent): boolean {
  return isHuman && !isOwnMessage(text);
}

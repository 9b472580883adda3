import type { TurnHints } from "../../types.ts";
import { isPrompt, isReportedPrompt } from "./is-prompt.ts";
import type { Message } from "./read-entries.ts";

/** A search for the prompt that opened the turn, going backwards. */
export interface PromptSearch {
  /** Looks at the next message and says whether the search is over. */
  readonly take: (message: Message) => boolean;
  readonly found: () => Message | null;
}

/** How many other prompts are passed over in search of the one that the hook reported. */
const PASSED_OVER = 16;

/**
 * Searches for the prompt that the hook reported, else for the last one on a line of its own, else for the last one in a
 * repeated history.
 *
 * The reason of a denied stop looks like a prompt, whoever denied it: only the hook knows what the human said.
 */
export function newPromptSearch({ promptText, ownMessages = [] }: TurnHints): PromptSearch {
  let reported: Message | null = null;
  let copied: Message | null = null;
  const own: Message[] = [];
  return {
    take: (message) => {
      if (promptText !== undefined && !message.isCopy && isReportedPrompt(message.value, promptText)) {
        reported = message;
      } else if (isPrompt(message.value, ownMessages)) {
        if (message.isCopy) copied ??= message;
        else own.push(message);
      }
      return reported !== null || own.length > (promptText === undefined ? 0 : PASSED_OVER);
    },
    found: () => reported ?? own[0] ?? copied,
  };
}

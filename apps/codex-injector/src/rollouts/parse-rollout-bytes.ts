import { parseRolloutLine } from "./parse-rollout-line.ts";
import type { RolloutEvent } from "./rollout-event.ts";

/**
 * What one line of a rollout tells us, from its bytes.
 *
 * Most of a rollout is what tools printed and models thought: what cannot be an event does not become text.
 */
export const parseRolloutBytes = (line: Buffer): RolloutEvent | null =>
  TELLING_WORDS.some((word) => line.includes(word)) ? parseRolloutLine(line.toString("utf8")) : null;

/** Every line that tells something has one of these. */
const TELLING_WORDS: readonly string[] = [
  '"task_started"',
  '"task_complete"',
  '"turn_aborted"',
  '"UserMessage"',
  '"HookPrompt"',
  '"user_message"',
  // A line of 2025, or a hook's words before they had an item.
  '"user"',
  '"session_meta"',
  '"instructions"',
];

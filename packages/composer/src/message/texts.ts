/** The words that every message of ours starts with, so that it is recognised when it comes back in a transcript. */
export const MESSAGE_PREFIX = "agent-checkpoint: ";

/** The message if everything expected was done. */
export const ALL_CLEAR = "All expected validations were observed. Commit if ready.";

/** The reminder outside the numbering. */
export const CAPTURE = "Capture what is worth keeping before you finish: memories, bugs, ideas.";

/** The last line: the reply after a block replaces the one before it. */
export const CLOSING = "Then finish with your answer to the user, updated: it replaces your previous reply.";

/** The last lines of every message. */
export const ENDING: string = `${CAPTURE}\n${CLOSING}`;

/** The advice if nothing can be said about the change. */
export const GENERIC_ADVICE: string = `${MESSAGE_PREFIX}Continue or validate your work if needed. Run what the change needs (restart, logs, tests) before you call it done.`;

/** The message if the changed files are unknown. */
export const GENERIC_MESSAGE: string = `${GENERIC_ADVICE}\n\n${ENDING}`;

/** Whether a text is one of our own messages. */
export function isOwnMessage(text: string): boolean {
  return text.trimStart().startsWith(MESSAGE_PREFIX);
}

/** What is kept without the database: for a program that is not to load more. */
export { journalPrompt, journalStop } from "./files/append-journal.ts";
export { appendLine } from "./files/append-line.ts";
export { appendLog, type LogEntry } from "./files/append-log.ts";
export { checkpointHome } from "./files/checkpoint-home.ts";
export { type PendingPrompt, pendingPrompt } from "./files/pending-prompt.ts";
export { rememberPrompted, type SessionKey, wasPrompted } from "./files/prompted-sessions.ts";

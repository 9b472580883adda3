/** What is kept without the database: for a program that is not to load more. */
export { journalPrompt, journalStop } from "./files/append-journal.ts";
export { appendLog, type LogEntry } from "./files/append-log.ts";
export { type PendingPrompt, pendingPrompt } from "./files/pending-prompt.ts";
export { rememberPrompted, type SessionKey, wasPrompted } from "./files/prompted-sessions.ts";

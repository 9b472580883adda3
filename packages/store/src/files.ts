/** What is kept without the database: for a program that is not to load more. */
export { appendJournal } from "./files/append-journal.ts";
export { appendLine } from "./files/append-line.ts";
export { appendLog, type LogEntry } from "./files/append-log.ts";
export { checkpointHome } from "./files/checkpoint-home.ts";

import { join } from "node:path";
import type { Stop } from "../records/stop.ts";
import { toStoreError } from "../store-error.ts";
import { appendLine } from "./append-line.ts";
import { ensureHome } from "./ensure-home.ts";
import { journalLine } from "./journal-line.ts";

/** Where stops wait that passed without the database. */
export const JOURNAL_FILE = "journal.jsonl";
/** On a file system whose file numbers change by themselves every file looks moved. */
const MAX_ATTEMPTS = 20;

/**
 * Notes a stop without opening the database; `foldJournal` takes it in later. Throws a `StoreError`.
 *
 * Folding moves the journal aside. A line written to a file that has moved may have come too late to be read, so it is
 * written again: lines carry an id, and one that arrives twice counts once.
 */
export function appendJournal(home: string, stop: Stop): void {
  const path = join(home, JOURNAL_FILE);
  // The newline in front ends a line that a full disk has cut short.
  const line = `\n${journalLine(stop)}\n`;
  try {
    ensureHome(home);
    for (let attempt = 0; attempt < MAX_ATTEMPTS && !appendLine(path, line).isInPlace; attempt += 1);
  } catch (error) {
    throw toStoreError(error);
  }
}

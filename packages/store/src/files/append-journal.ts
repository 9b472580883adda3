import { join } from "node:path";
import { appendLine } from "@agent-checkpoint/files";
import type { Prompt } from "../tables/sessions.ts";
import type { Stop } from "../tables/stops.ts";
import { toStoreError } from "../store-error.ts";
import { ensureHome } from "./ensure-home.ts";
import { promptLine, stopLine } from "./journal-line.ts";

/** Where stops and prompts wait that were noted without the database. */
export const JOURNAL_FILE = "journal.jsonl";
/** On a file system whose file numbers change by themselves every file looks moved. */
const MAX_ATTEMPTS = 20;

/** Notes a stop without opening the database; who opens it next takes it in. Throws a `StoreError`. */
export function journalStop(home: string, stop: Stop): void {
  append(home, stopLine(stop));
}

/** Notes that the human spoke without opening the database; who opens it next takes it in. Throws a `StoreError`. */
export function journalPrompt(home: string, prompt: Prompt): void {
  append(home, promptLine(prompt));
}

/**
 * Folding moves the journal aside. A line written to a file that has moved may have come too late to be read, so it is
 * written again, and one that arrives twice counts once.
 */
function append(home: string, text: string): void {
  const path = join(home, JOURNAL_FILE);
  // The newline in front ends a line that a full disk has cut short.
  const line = `\n${text}\n`;
  try {
    ensureHome(home);
    for (let attempt = 0; attempt < MAX_ATTEMPTS && !appendLine(path, line).isInPlace; attempt += 1);
  } catch (error) {
    throw toStoreError(error);
  }
}

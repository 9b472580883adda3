import { join } from "node:path";
import { readSmallText } from "@agent-checkpoint/files";
import { JOURNAL_FILE } from "./append-journal.ts";
import { type JournaledPrompt, parseJournalLine } from "./journal-line.ts";
import type { SessionKey } from "./prompted-sessions.ts";

/** A longer journal is worth folding. */
const MOST_BYTES = 64 * 1024;

/** A prompt that waits in the journal. */
export type PendingPrompt = Pick<JournaledPrompt, "turn"> & { readonly at: Date };

/**
 * A session's last prompt where it still waits in the journal; null where it does not, or the journal is long.
 * Nobody has opened the database since, so no stop of the prompt's turn was judged.
 */
export function pendingPrompt(home: string, { agent, sessionId }: SessionKey): PendingPrompt | null {
  const text = readSmallText(join(home, JOURNAL_FILE), MOST_BYTES);
  if (text === null) return null;
  const id = JSON.stringify(sessionId);
  const lines = text.split("\n").filter((line) => line.includes(id));
  for (const line of lines.toReversed()) {
    const entry = parseJournalLine(line);
    if (entry === null || !("type" in entry)) continue;
    if (entry.agent === agent && entry.sessionId === sessionId) return { turn: entry.turn, at: new Date(entry.at) };
  }
  return null;
}

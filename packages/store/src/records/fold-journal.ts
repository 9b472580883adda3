import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { JOURNAL_FILE } from "../files/append-journal.ts";
import { type JournaledPrompt, type JournaledStop, parseJournalLine } from "../files/journal-line.ts";
import { uniqueId } from "../files/unique-id.ts";
import { errorCode } from "../store-error.ts";
import type { Connection } from "../sqlite/connection.ts";
import { prepareInsertStops, type NewStop } from "./insert-stops.ts";
import { prepareRecordPrompt } from "./record-prompt.ts";
import { parseTrail } from "./stop-trail.ts";
import { prepareUpsertSession } from "./upsert-session.ts";

/** What came of the journal's lines. */
export interface Folded {
  /** Stops that are in the database now and were not before. */
  readonly stops: number;
  /** Prompts that sessions know of now and did not before. */
  readonly prompts: number;
  /** Lines that held neither. */
  readonly unreadable: number;
}

/**
 * Takes the stops and prompts of the journal in, each exactly once.
 *
 * The journal is moved aside before it is read and deleted after the commit. Whatever a process leaves behind that dies in
 * between is found by the next one, and what was taken in already is known. Files are read under the database's lock: a
 * prompt that came late to the database would end the turn of the one after it.
 */
export function foldJournal(connection: Connection): Folded {
  const { home } = connection;
  if (!existsSync(join(home, JOURNAL_FILE)) && leftFiles(home).length === 0) return NOTHING;
  const { files, folded } = connection.immediately(() => {
    moveAside(home);
    const found = leftFiles(home).toSorted((a, b) => a.changedAt - b.changedAt);
    return { files: found, folded: takeIn(connection, found.flatMap(readLines)) };
  });
  for (const { path } of files) unlessMissing(() => unlinkSync(path), undefined);
  return folded;
}

const NOTHING: Folded = { stops: 0, prompts: 0, unreadable: 0 };

/** A journal that was moved aside. */
interface LeftFile {
  readonly path: string;
  readonly changedAt: number;
}

function moveAside(home: string): void {
  unlessMissing(() => renameSync(join(home, JOURNAL_FILE), join(home, `journal.${uniqueId()}.folding`)), undefined);
}

function leftFiles(home: string): LeftFile[] {
  return readdirSync(home)
    .filter((name) => name.startsWith("journal.") && name.endsWith(".folding"))
    .flatMap((name) => {
      const path = join(home, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      return stats?.isFile() === true ? [{ path, changedAt: stats.mtimeMs }] : [];
    });
}

function readLines({ path }: LeftFile): string[] {
  const text = unlessMissing(() => readFileSync(path, "utf8"), "");
  return text.split("\n").filter((line) => line !== "");
}

/** Another process may just have deleted a file whose lines it has taken in. */
function unlessMissing<Result>(work: () => Result, otherwise: Result): Result {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    return otherwise;
  }
}

function takeIn(connection: Connection, lines: readonly string[]): Folded {
  const entries = lines.map(parseJournalLine).filter((entry) => entry !== null);
  const prompts = entries.filter((entry) => "type" in entry);
  const stops = entries.filter((entry): entry is JournaledStop => !("type" in entry)).map(toStop);
  return {
    prompts: prompts.filter((prompt) => takeInPrompt(connection, prompt)).length,
    stops: takeInStops(connection, stops),
    unreadable: lines.length - entries.length,
  };
}

function takeInPrompt(connection: Connection, prompt: JournaledPrompt): boolean {
  return prepareRecordPrompt(connection, { ...prompt, at: new Date(prompt.at) })();
}

function toStop({ id, at, trail, ...stop }: JournaledStop): NewStop {
  return { ...stop, journalId: id, at: new Date(at), trail: trail == null ? null : parseTrail(JSON.stringify(trail)) };
}

function takeInStops(connection: Connection, stops: readonly NewStop[]): number {
  for (const stop of latestBySession(stops)) {
    prepareUpsertSession(connection, stop, {})();
    prepareStampIfLater(connection, stop)();
  }
  return inBatches(stops).reduce((sum, batch) => sum + prepareInsertStops(connection, batch)(), 0);
}

/** The journal may be older than what the session's row says. */
function prepareStampIfLater({ prepareRun }: Connection, { agent, sessionId, at }: NewStop): () => number {
  const time = at.getTime();
  return prepareRun(
    `UPDATE sessions SET last_stop_at = ?
     WHERE agent = ? AND session_id = ? AND (last_stop_at IS NULL OR last_stop_at < ?)`,
    [time, agent, sessionId, time],
  );
}

function latestBySession(stops: readonly NewStop[]): NewStop[] {
  const latest = new Map<string, NewStop>();
  for (const stop of stops.filter(({ sessionId, isCanary }) => sessionId !== "" && isCanary !== true)) {
    const key = JSON.stringify([stop.agent, stop.sessionId]);
    const known = latest.get(key);
    if (known === undefined || known.at <= stop.at) latest.set(key, stop);
  }
  return [...latest.values()];
}

/** SQLite takes 32,766 parameters in a statement, and a stop has fifteen. */
const BATCH = 500;

function inBatches<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, at) => items.slice(at * BATCH, (at + 1) * BATCH));
}

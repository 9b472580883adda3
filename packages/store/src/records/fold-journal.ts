import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { JOURNAL_FILE } from "../files/append-journal.ts";
import { parseJournalLine } from "../files/journal-line.ts";
import { uniqueId } from "../files/unique-id.ts";
import { errorCode } from "../store-error.ts";
import type { Connection } from "../sqlite/connection.ts";
import { prepareInsertStops, type NewStop } from "./insert-stops.ts";
import { prepareUpsertSession } from "./upsert-session.ts";

/** What came of the journal's lines. */
export interface Folded {
  /** Stops that are in the database now and were not before. */
  readonly stops: number;
  /** Lines that held no stop. */
  readonly unreadable: number;
}

/**
 * Takes the stops of the journal in, each exactly once.
 *
 * The journal is moved aside before it is read and deleted after the commit. Whatever a process leaves behind that dies in
 * between is found by the next one, and a line that was taken in already is known by its id.
 */
export function foldJournal(connection: Connection): Folded {
  const files = filesToFold(connection.home);
  const lines = files.flatMap((file) => readLines(file));
  const stops = lines.map(parseStop).filter((stop) => stop !== null);
  const inserted = insertAll(connection, stops);
  for (const file of files) rmSync(file, { force: true });
  return { stops: inserted, unreadable: lines.length - stops.length };
}

function filesToFold(home: string): string[] {
  const journal = join(home, JOURNAL_FILE);
  try {
    if (existsSync(journal)) renameSync(journal, join(home, `journal.${uniqueId()}.folding`));
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  return readdirSync(home)
    .filter((name) => name.startsWith("journal.") && name.endsWith(".folding"))
    .map((name) => join(home, name))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

/** The lines of a file; none where another process has folded it in the meantime. */
function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    return [];
  }
}

function parseStop(line: string): NewStop | null {
  const parsed = parseJournalLine(line);
  if (parsed === null) return null;
  const { id, at, ...stop } = parsed;
  return { ...stop, journalId: id, at: new Date(at), trail: null };
}

function insertAll(connection: Connection, stops: readonly NewStop[]): number {
  if (stops.length === 0) return 0;
  const stampSessions = latestBySession(stops).flatMap((stop) => [
    prepareUpsertSession(connection, stop, {}),
    prepareStampIfLater(connection, stop),
  ]);
  const inserts = inBatches(stops).map((batch) => prepareInsertStops(connection, batch));
  return connection.immediately(() => {
    for (const stamp of stampSessions) stamp();
    return inserts.reduce((sum, insert) => sum + insert(), 0);
  });
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

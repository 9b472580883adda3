import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { JOURNAL_FILE } from "./append-journal.ts";
import { type JournaledStop, parseJournalLine } from "./journal-line.ts";
import { uniqueId } from "./unique-id.ts";
import { errorCode } from "../store-error.ts";
import type { Connection } from "../tables/connection.ts";
import { writePrompt, writeSession } from "../tables/sessions.ts";
import { hasSession, parseTrail, type Stop, toRow } from "../tables/stops.ts";

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
export function foldJournal(home: string, connection: Connection): Folded {
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
    prompts: prompts.filter((prompt) => writePrompt(connection, { ...prompt, at: new Date(prompt.at) })).length,
    stops: stops.filter((stop) => takeInStop(connection, stop)).length,
    unreadable: lines.length - entries.length,
  };
}

function toStop({ id, at, trail, ...stop }: JournaledStop): Stop & { readonly journalId: string } {
  return { ...stop, journalId: id, at: new Date(at), trail: trail == null ? null : parseTrail(JSON.stringify(trail)) };
}

function takeInStop(connection: Connection, stop: Stop & { readonly journalId: string }): boolean {
  const time = stop.at.getTime();
  // The journal may be older than what the session's row says.
  if (hasSession(stop))
    writeSession(connection, stop, ({ last_stop_at: last }) => ({ last_stop_at: Math.max(last ?? time, time) }));
  return connection.run("insertStop", toRow(stop)) > 0;
}

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CheckpointType } from "../checkpoint-type.ts";
import type { Change } from "../kinds/kind.ts";
import type { Entry } from "../manifest/entry.ts";
import { decodePath, encodePath } from "../paths/byte-path.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { flushFolder, writeWhole } from "../store/write-whole.ts";

/** What a restore is about to do; while it lies in the store, the restore is not finished. */
export interface Journal {
  /** The checkpoint that undoes the restore names the journal too. */
  readonly undo: string;
  readonly checkpoint: string;
  readonly type: CheckpointType;
  readonly root: string;
  readonly staging: string;
  readonly changes: readonly Change[];
}

/** Writes a journal, flushed, before the first change. */
export function writeJournal(layout: StoreLayout, journal: Journal): void {
  const changes = journal.changes.map(({ from, to }) => ({
    from: withPath(from, encodePath),
    to: withPath(to, encodePath),
  }));
  writeWhole(join(layout.journals, `${journal.undo}.json`), JSON.stringify({ ...journal, changes }), {
    tmp: layout.tmp,
  });
  flushFolder(layout.journals);
}

/** The journals of restores that were not finished. */
export function readJournals(layout: StoreLayout): readonly Journal[] {
  if (!existsSync(layout.journals)) return [];
  return readdirSync(layout.journals)
    .filter((name) => name.endsWith(".json"))
    .map((name) => {
      // Written in one step by writeJournal, so it is whole or not there.
      const journal = JSON.parse(readFileSync(join(layout.journals, name), "utf8")) as Journal;
      return {
        ...journal,
        changes: journal.changes.map(({ from, to }) => ({
          from: withPath(from, decodePath),
          to: withPath(to, decodePath),
        })),
      };
    });
}

/** When a journal was written, by the clock of the file system. */
export function journalTime(layout: StoreLayout, undo: string): Date {
  return statSync(join(layout.journals, `${undo}.json`)).mtime;
}

export function removeJournal(layout: StoreLayout, undo: string): void {
  rmSync(join(layout.journals, `${undo}.json`), { force: true });
  flushFolder(layout.journals);
}

function withPath(entry: Entry, convert: (path: string) => string): Entry {
  return { ...entry, path: convert(entry.path) };
}

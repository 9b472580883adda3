import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CheckpointType } from "../checkpoint-type.ts";
import type { Change } from "../kinds/kind.ts";
import type { Entry } from "../manifest/entry.ts";
import { decodePath, encodePath } from "../paths/byte-path.ts";
import { type StoreLayout, refsOf } from "../store/store-layout.ts";
import { flushFolder, writeWhole } from "@agent-checkpoint/files";
import type { Context } from "../context.ts";
import { entryOf } from "../files/entry-at.ts";
import { kindOf } from "../kinds/kinds.ts";
import { isId } from "../manifest/checkpoint-id.ts";
import { sweepDraft } from "../create/make-checkpoint.ts";
import { openContents } from "../store/contents.ts";
import type { Place } from "../place.ts";
import { SafetyError, troubleOf } from "../trouble.ts";
import { noteRestore } from "../writes/read-writes.ts";
import { AWAY } from "./apply-files.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { ensureOwnFolder } from "../workspace/write-mirror.ts";

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

/** Finishes what an interrupted run left in a locked store, and returns what that was. */
export async function recover(context: Context): Promise<readonly string[]> {
  const { layout, root } = context.place;
  const notes: string[] = [];
  for (const journal of readJournals(layout)) {
    // What another work tree has to finish is its own business.
    if (journal.root === root || !existsSync(journal.root)) notes.push(await finish(journal, context));
  }
  const isUnfinished = sweep(layout);
  return !isUnfinished ? notes : [...notes, "Cleaned up after a checkpoint that was interrupted while it was made."];
}

/** Brings an interrupted restore to its end: each change that is not made yet is made, what others changed since is left. */
async function finish(journal: Journal, context: Context): Promise<string> {
  const { place, progress, step } = context;
  const { layout } = place;
  if (!existsSync(journal.root)) {
    removeJournal(layout, journal.undo);
    return `An interrupted restore of ${journal.checkpoint} was given up: ${journal.root} is gone.`;
  }
  const contents = openContents(layout);
  try {
    const saved = keepSaved(journal);
    clearStaging(journal.staging);
    mkdirSync(journal.staging, { recursive: true, mode: 0o700 });
    const { root, changes, staging } = journal;
    const kind = kindOf(journal.type, context);
    const request = { root, changes, contents, staging, isDurable: true, progress, step, isResumed: true };
    const problem = await kind.apply(request).then(() => null, troubleIn);
    // A database or a store that is out of reach must not keep files from being captured; it is old or new, never torn.
    if (problem !== null && kind.isOfFiles) throw unfinished(journal, problem);
    clearStaging(staging);
    noteRestore(layout, root, { from: journalTime(layout, journal.undo), to: new Date(), undo: journal.undo });
    removeJournal(layout, journal.undo);
    if (problem !== null)
      return `An interrupted restore of ${journal.checkpoint} was given up: ${problem.message} ${journal.undo} has what was there before.`;
    return [
      `Finished a restore of ${journal.checkpoint} that was interrupted; ${journal.undo} undoes it.`,
      ...saved,
    ].join(" ");
  } finally {
    contents.close();
  }
}

/** Keeps what an interrupted restore had moved away, if the undo snapshot does not hold it; gives where it is. */
function keepSaved({ staging, changes, undo }: Journal): readonly string[] {
  if (!existsSync(staging)) return [];
  const held = new Set(changes.map(({ from }) => from.oid));
  return readdirSync(staging).flatMap((name) => {
    const at = join(staging, name);
    const stats = lstatSync(at, { bigint: true });
    if (!name.startsWith(AWAY) || held.has(entryOf(at, name, stats).oid)) return [];
    const kept = join(dirname(staging), `saved-${undo}-${name}`);
    renameSync(at, kept);
    return [`A file that was saved during it is in ${kept}.`];
  });
}

/** Gives up the interrupted restores of a work tree: what they have changed so far stays, and nothing more is changed. */
export function abandonRestores({ layout, root }: Place): readonly string[] {
  return readJournals(layout)
    .filter((journal) => journal.root === root)
    .map((journal) => {
      const saved = keepSaved(journal);
      clearStaging(journal.staging);
      noteRestore(layout, root, { from: journalTime(layout, journal.undo), to: new Date(), undo: journal.undo });
      removeJournal(layout, journal.undo);
      const what = `The interrupted restore of ${journal.checkpoint} was given up where it stopped; ${journal.undo} has what was there before.`;
      return [what, ...saved].join(" ");
    });
}

function unfinished({ checkpoint }: Journal, { message }: Error): SafetyError {
  return new SafetyError(
    "in-the-way",
    `A restore of ${checkpoint} was interrupted and cannot be finished: ${message}`,
    "Remove the cause and try again, or give it up with `checkpoint snapshot restore --abandon`.",
  );
}

/** An error that is a trouble; any other is thrown on. */
function troubleIn(error: unknown): Error {
  if (error instanceof Error && troubleOf(error) !== null) return error;
  throw error;
}

/** Removes the staging folder of a restore. */
export function clearStaging(staging: string): void {
  if (lstatSync(dirname(staging), { throwIfNoEntry: false })?.isDirectory() === true)
    rmSync(staging, { recursive: true, force: true });
}

/** Removes half-made things: under the lock, whatever lies in `tmp` has no owner. Gives whether a snapshot was among them. */
function sweep(layout: StoreLayout): boolean {
  const names = readdirSync(layout.tmp);
  const unfinished = names.filter((name) => isId(name) && !existsSync(join(refsOf(layout), name)));
  for (const name of unfinished) sweepDraft(layout, join(layout.tmp, name));
  for (const name of names) rmSync(join(layout.tmp, name), { recursive: true, force: true });
  for (const folder of ["", "objects/pack"]) {
    const path = join(layout.repository, folder);
    for (const name of readdirSync(path)) if (HALF_MADE.test(name)) rmSync(join(path, name), { force: true });
  }
  return unfinished.length > 0;
}

/** What a git that was killed leaves behind. */
const HALF_MADE = /^(?:tmp_|fast_import_crash_|.*\.lock$)/;

/** Makes the changes of a restore under a journal; an error on the way takes back what was changed so far. */
export async function makeChanges(
  changes: readonly Change[],
  { checkpoint, undo }: { readonly checkpoint: Manifest; readonly undo: string },
  context: Context,
): Promise<void> {
  const { place, step, progress } = context;
  const { layout, root } = place;
  const { id, type } = checkpoint;
  const kind = kindOf(type, context);
  const own = ensureOwnFolder(root, ".checkpoints");
  const staging = join(own ?? layout.tmp, `restore-${undo}`);
  const from = new Date();
  const contents = openContents(layout);
  try {
    writeJournal(layout, { undo, checkpoint: id, type, root, staging, changes });
    step("journal written");
    mkdirSync(staging, { mode: 0o700 });
    const common = { root, contents, staging, isDurable: true, progress };
    try {
      await kind.apply({ ...common, changes, step, isResumed: false });
    } catch (error) {
      clearStaging(staging);
      mkdirSync(staging, { mode: 0o700 });
      // What was changed so far goes back to what it was.
      const back = changes.map(({ from: before, to }) => ({ from: to, to: before }));
      await kind.apply({ ...common, changes: back, step: () => undefined, isResumed: true });
      finish();
      throw error;
    }
    finish();
    step("journal removed");
  } finally {
    contents.close();
  }

  function finish(): void {
    clearStaging(staging);
    noteRestore(layout, root, { from, to: new Date(), undo });
    removeJournal(layout, undo);
  }
}

import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { flushFolder, move, writeNew, writeWhole } from "@agent-checkpoint/files";
import { AWAY } from "./kinds/apply-files.ts";
import { storeGit } from "./git.ts";
import type { Change } from "./kinds/kind.ts";
import { findKind } from "./find-kind.ts";
import { type CheckpointType, type Entry, isId, type Manifest } from "./manifest.ts";
import type { Contents } from "./objects.ts";
import { decodePath, encodePath } from "./paths.ts";
import type { Context, Place, StoreLayout } from "./place.ts";
import { entryOf } from "./read-files.ts";
import { SafetyError, troubleOf } from "./trouble.ts";
import { ensureOwnFolder } from "./workspace.ts";
import { noteRestore } from "./writes.ts";

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
  const text = JSON.stringify({ ...journal, changes: withPaths(journal.changes, encodePath) });
  writeWhole(journalPath(layout, journal.undo), text, { tmp: layout.tmp });
}

function journalPath({ journals }: StoreLayout, undo: string): string {
  return join(journals, `${undo}.json`);
}

/** The journals of restores that were not finished; written in one step, each is whole or not there. */
function readJournals(layout: StoreLayout): readonly Journal[] {
  const names = readdirSync(layout.journals).filter((name) => name.endsWith(".json"));
  return names.map((name) => {
    const journal = JSON.parse(readFileSync(join(layout.journals, name), "utf8")) as Journal;
    return { ...journal, changes: withPaths(journal.changes, decodePath) };
  });
}

function withPaths(changes: readonly Change[], convert: (path: string) => string): readonly Change[] {
  const converted = (entry: Entry): Entry => ({ ...entry, path: convert(entry.path) });
  return changes.map(({ from, to }) => ({ from: converted(from), to: converted(to) }));
}

/** Makes the changes of a restore under a journal; an error on the way takes back what was changed so far. */
export async function makeChanges(
  changes: readonly Change[],
  { checkpoint, undo }: { readonly checkpoint: Manifest; readonly undo: string },
  context: Context,
  contents: Contents,
): Promise<void> {
  const { place, step, progress } = context;
  const { layout, root } = place;
  const { id, type } = checkpoint;
  const kind = findKind(type);
  const staging = join(ensureOwnFolder(root, ".checkpoints") ?? layout.tmp, `restore-${undo}`);
  const journal = { undo, checkpoint: id, type, root, staging, changes };
  writeJournal(layout, journal);
  step("journal written");
  const common = { root, contents, staging, isDurable: true, progress };
  mkdirSync(staging, { mode: 0o700 });
  try {
    await kind.apply({ ...common, changes, step, isResumed: false }, context);
  } catch (error) {
    clearStaging(staging);
    mkdirSync(staging, { mode: 0o700 });
    // What was changed so far goes back to what it was.
    const back = changes.map(({ from, to }) => ({ from: to, to: from }));
    await kind.apply({ ...common, changes: back, step: () => undefined, isResumed: true }, context);
    endJournal(journal, place);
    throw error;
  }
  endJournal(journal, place);
  step("journal removed");
}

/** Ends a restore: what it wrote is noted as its own, by the clock of the file system. */
function endJournal({ undo, staging }: Journal, place: Place): void {
  const path = journalPath(place.layout, undo);
  clearStaging(staging);
  noteRestore(place, { from: statSync(path).mtime, to: new Date(), undo });
  rmSync(path, { force: true });
  flushFolder(place.layout.journals);
}

function clearStaging(staging: string): void {
  if (lstatSync(dirname(staging), { throwIfNoEntry: false })?.isDirectory() === true)
    rmSync(staging, { recursive: true, force: true });
}

/** Finishes what an interrupted run left in a locked store, and returns what that was. */
export async function recover(context: Context, contents: Contents): Promise<readonly string[]> {
  const { layout, root } = context.place;
  const notes: string[] = [];
  for (const journal of readJournals(layout)) {
    // What another work tree has to finish is its own business.
    if (journal.root === root || !existsSync(journal.root)) notes.push(await finish(journal, context, contents));
  }
  const isUnfinished = await sweep(layout);
  return isUnfinished ? [...notes, "Cleaned up after a checkpoint that was interrupted while it was made."] : notes;
}

/** Brings an interrupted restore to its end: each change that is not made yet is made, what others changed since is left. */
async function finish(journal: Journal, context: Context, contents: Contents): Promise<string> {
  const { place, progress, step } = context;
  const { checkpoint, undo, root, changes, staging } = journal;
  if (!existsSync(root)) {
    rmSync(journalPath(place.layout, undo));
    return `An interrupted restore of ${checkpoint} was given up: ${root} is gone.`;
  }
  const saved = keepSaved(journal);
  clearStaging(staging);
  mkdirSync(staging, { recursive: true, mode: 0o700 });
  const kind = findKind(journal.type);
  const request = { root, changes, contents, staging, isDurable: true, progress, step, isResumed: true };
  const problem = await kind.apply(request, context).then(() => null, troubleOf);
  // A database or a store that is out of reach must not keep files from being captured; it is old or new, never torn.
  if (problem !== null && kind.isOfFiles)
    throw new SafetyError(
      "in-the-way",
      `A restore of ${checkpoint} was interrupted and cannot be finished: ${problem.message}`,
      "Remove the cause and try again, or give it up with `checkpoint snapshot restore --abandon`.",
    );
  endJournal(journal, place);
  if (problem !== null)
    return `An interrupted restore of ${checkpoint} was given up: ${problem.message} ${undo} has what was there before.`;
  return [`Finished a restore of ${checkpoint} that was interrupted; ${undo} undoes it.`, ...saved].join(" ");
}

/** Keeps what an interrupted restore had moved away, if the undo snapshot does not hold it; gives where it is. */
function keepSaved({ staging, changes, undo }: Journal): readonly string[] {
  if (!existsSync(staging)) return [];
  const held = new Set(changes.map(({ from }) => from.oid));
  return readdirSync(staging).flatMap((name) => {
    const at = join(staging, name);
    if (!name.startsWith(AWAY) || held.has(entryOf(at, name, lstatSync(at, { bigint: true })).oid)) return [];
    const kept = join(dirname(staging), `saved-${undo}-${name}`);
    move(at, kept);
    return [`A file that was saved during it is in ${kept}.`];
  });
}

/** Gives up the interrupted restores of a work tree: what they have changed so far stays, and nothing more is changed. */
export function abandonRestores(place: Place): readonly string[] {
  const own = readJournals(place.layout).filter(({ root }) => root === place.root);
  return own.map((journal) => {
    const saved = keepSaved(journal);
    endJournal(journal, place);
    const what = `The interrupted restore of ${journal.checkpoint} was given up where it stopped; ${journal.undo} has what was there before.`;
    return [what, ...saved].join(" ");
  });
}

/** Removes half-made things: under the lock, whatever lies in `tmp` has no owner. Gives whether a snapshot was among them. */
async function sweep(layout: StoreLayout): Promise<boolean> {
  const names = readdirSync(layout.tmp);
  const unfinished = names.filter((name) => isId(name) && !existsSync(join(layout.refs, name)));
  for (const name of unfinished) endDraft(layout, name);
  // What was written beside the packs; if it cannot be told from what is needed, it stays.
  if (unfinished.length > 0) await storeGit(layout, ["prune", "--expire=now"]);
  for (const name of names) rmSync(join(layout.tmp, name), { recursive: true, force: true });
  for (const folder of ["", "objects/pack"]) {
    const path = join(layout.repository, folder);
    for (const name of readdirSync(path)) if (HALF_MADE.test(name)) rmSync(join(path, name), { force: true });
  }
  return unfinished.length > 0;
}

/** What a git that was killed leaves behind. */
const HALF_MADE = /^(?:tmp_|fast_import_crash_|.*\.lock$)/;

/** Writes down which packs there are: if the snapshot never comes to exist, the others are what is left of it. */
export function beginDraft(layout: StoreLayout, id: string): void {
  writeNew(join(layout.tmp, id), JSON.stringify(packsIn(layout)), 0o600);
}

/** Removes the draft of a snapshot, and what is left of one that was never published; under the lock nothing else has made a pack since. */
export function endDraft(layout: StoreLayout, id: string): void {
  const draft = join(layout.tmp, id);
  if (!existsSync(draft)) return;
  const text = readFileSync(draft, "utf8");
  // A torn list was written by a process that had made no pack yet.
  const before = text.endsWith("]") ? (JSON.parse(text) as readonly string[]) : packsIn(layout);
  const isPublished = existsSync(join(layout.refs, id));
  const fresh = isPublished ? [] : packsIn(layout).filter((name) => !before.includes(name));
  for (const name of fresh) rmSync(join(layout.repository, "objects", "pack", name), { force: true });
  rmSync(draft);
}

function packsIn({ repository }: StoreLayout): readonly string[] {
  return readdirSync(join(repository, "objects", "pack"));
}

import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Context } from "../context.ts";
import { entryOf } from "../files/entry-at.ts";
import { kindOf } from "../kinds/kinds.ts";
import { isId } from "../manifest/checkpoint-id.ts";
import { sweepDraft } from "../create/make-checkpoint.ts";
import { openContents } from "../store/contents.ts";
import { refsOf, type StoreLayout } from "../store/store-layout.ts";
import type { Place } from "../place.ts";
import { SafetyError, troubleOf } from "../trouble.ts";
import { noteRestore } from "../writes/restore-times.ts";
import { AWAY } from "./apply-files.ts";
import { type Journal, journalTime, readJournals, removeJournal } from "./journal.ts";

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

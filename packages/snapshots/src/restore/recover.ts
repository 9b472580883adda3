import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Context } from "../context.ts";
import { kindOf } from "../kinds/kinds.ts";
import { isId } from "../manifest/checkpoint-id.ts";
import { openContents } from "../store/open-contents.ts";
import { checkpointFolder, type StoreLayout } from "../store/store-layout.ts";
import { troubleOf } from "../trouble.ts";
import { MIRROR_DRAFT } from "../workspace/draft-mirror.ts";
import { noteRestore } from "../writes/restore-times.ts";
import { type Journal, journalTime, readJournals, removeJournal } from "./journal.ts";

/** Finishes what an interrupted run of the program has left, in a locked store, and says what that was. */
export async function recover(context: Context): Promise<readonly string[]> {
  const { layout } = context.place;
  const notes: string[] = [];
  for (const journal of readJournals(layout)) notes.push(await finish(journal, context));
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
    clearStaging(journal.staging);
    mkdirSync(journal.staging, { recursive: true, mode: 0o700 });
    const { root, changes, staging } = journal;
    const kind = kindOf(journal.type, context);
    const request = { root, changes, contents, staging, isDurable: true, progress, step, isResumed: true };
    const problem = await kind.apply(request).then(() => null, troubleIn);
    // A database or a store that is out of reach must not keep files from being captured; it is old or new, never torn.
    if (problem !== null && kind.isOfFiles) throw problem;
    clearStaging(staging);
    noteRestore(layout, root, { from: journalTime(layout, journal.undo), to: new Date(), undo: journal.undo });
    removeJournal(layout, journal.undo);
    if (problem !== null)
      return `An interrupted restore of ${journal.checkpoint} was given up: ${problem.message} ${journal.undo} has what was there before.`;
  } finally {
    contents.close();
  }
  return `Finished a restore of ${journal.checkpoint} that was interrupted; ${journal.undo} undoes it.`;
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

/**
 * Removes half-made things: under the lock, whatever lies in `tmp` has no owner. Gives whether a checkpoint was among them.
 * A draft there that is named like a checkpoint was never published, so nobody else needs what its pack holds.
 */
function sweep(layout: StoreLayout): boolean {
  const drafts = readdirSync(layout.tmp);
  for (const name of drafts) {
    if (isId(name))
      for (const file of [`${name}.idx`, `${name}.pack`]) rmSync(join(layout.packs, file), { force: true });
    rmSync(join(layout.tmp, name), { recursive: true, force: true });
  }
  return drafts.some((name) => !isMirrorOfPublished(name, layout));
}

/** Whether a draft is all that an interrupted run has left undone of a checkpoint that exists; mirrors are made again. */
function isMirrorOfPublished(name: string, layout: StoreLayout): boolean {
  const id = name.endsWith(MIRROR_DRAFT) ? name.slice(0, -MIRROR_DRAFT.length) : "";
  return isId(id) && existsSync(checkpointFolder(layout, id));
}

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { waitForIndex } from "../git/commit-paths.ts";
import { findCommit } from "../git/find-commit.ts";
import { takeBackIntent } from "../git/intent-to-add.ts";
import { readLive } from "../git/read-texts.ts";
import { hashOf, replaceDocument } from "./status-document.ts";

/** What a save is about to change in a work tree, so that whoever finds it half done can undo it. */
export interface Journal {
  readonly checkpointId: string;
  /** The status document, and its bytes before and after; null where it is left alone. */
  readonly document: {
    readonly path: string;
    /** In base64; null where it did not exist. */
    readonly before: string | null;
    readonly afterHash: string | null;
  } | null;
  /** The files that git is told of for this commit. */
  readonly added: readonly string[];
}

/** Writes down what is about to be changed. */
export function writeJournal(folder: string, journal: Journal): void {
  const draft = join(folder, "journal.tmp");
  const descriptor = openSync(draft, "w", 0o600);
  try {
    writeSync(descriptor, JSON.stringify(journal));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, join(folder, FILE));
}

/** Ends a save, whatever came of it. */
export function removeJournal(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

const FILE = "journal.json";

/** Undoes what a save that was killed has left half done, unless its commit is there; says what it did. */
export async function recover(
  root: string,
  gitDir: string,
  folder: string,
): Promise<"nothing" | "undone" | "was-committed" | "busy"> {
  const journal = readJournal(folder);
  if (journal === null) return "nothing";
  // A git that outlives its parent holds the index until its commit is made or given up.
  if ((await waitForIndex({ gitDir }, performance.now() + RECOVERY_WAIT_MS)) !== null) return "busy";
  const commit = await findCommit(root, journal.checkpointId);
  if (commit === null) await undo(root, folder, journal);
  removeJournal(folder);
  return commit === null ? "undone" : "was-committed";
}

const RECOVERY_WAIT_MS = 5000;

/** Brings the status document back, where it still is what the save made of it, and takes new files out of the index. */
export async function undo(root: string, folder: string, { document, added }: Journal): Promise<void> {
  if (document !== null && hashOf(readLive(root, document.path)) === document.afterHash)
    replaceDocument(
      join(root, document.path),
      document.before === null ? null : Buffer.from(document.before, "base64"),
      folder,
    );
  await takeBackIntent(root, added);
}

function readJournal(folder: string): Journal | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, FILE), "utf8"));
    return isJournal(value) ? value : null;
  } catch {
    return null;
  }
}

function isJournal(value: unknown): value is Journal {
  return (
    typeof value === "object" &&
    value !== null &&
    "checkpointId" in value &&
    "added" in value &&
    Array.isArray(value.added)
  );
}

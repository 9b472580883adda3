import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isRecord, replaceFile, sweepDrafts, writeWhole } from "@agent-checkpoint/files";
import {
  findCommitByTrailer,
  type FoundCommit,
  readWorkTree,
  takeBackIntent,
  waitForIndex,
} from "@agent-checkpoint/git";
import { readLive, saveFolder, withSaveLock } from "./repository.ts";
import { hashOf } from "./status-document.ts";

const WAIT_MS = 8000;

/** Brings a work tree to the state before a save that was killed, unless its commit was made. */
export async function recoverWork(projectPath: string): Promise<"nothing" | "undone" | "was-committed" | "busy"> {
  const reading = await readWorkTree(projectPath);
  if (!reading.ok) return "nothing";
  const { root, gitDir } = reading.workTree;
  const folder = saveFolder(gitDir);
  const recovered = await withSaveLock(folder, WAIT_MS, () => recover(root, gitDir, folder));
  return recovered.ok ? recovered.value : "busy";
}

/** What a save is about to change in a work tree, so that a later save that finds it half done can undo it. */
export interface Journal {
  readonly checkpointId: string;
  /** The status document, and its bytes before and after; null if it is left alone. */
  readonly document: {
    readonly path: string;
    /** In base64; null if it did not exist. */
    readonly before: string | null;
    readonly afterHash: string | null;
  } | null;
  /** The files that are added to the index for this commit. */
  readonly added: readonly string[];
}

/** Records what is about to be changed. */
export function writeJournal(folder: string, journal: Journal): void {
  writeWhole(join(folder, FILE), JSON.stringify(journal));
}

/** Ends a save, whatever its result. */
export function removeJournal(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

const FILE = "journal.json";

/** Undoes a save that was killed half-way, unless its commit exists; returns what it did. */
export async function recover(
  root: string,
  gitDir: string,
  folder: string,
): Promise<"nothing" | "undone" | "was-committed" | "busy"> {
  sweepDrafts(folder);
  const journal = readJournal(folder);
  if (journal === null) return "nothing";
  // A git that outlives its parent holds the index until its commit is made or given up.
  if (!(await waitForIndex({ gitDir }, performance.now() + RECOVERY_WAIT_MS)).ok) return "busy";
  const commit = await findCommit(root, journal.checkpointId);
  if (commit === null) await undo(root, folder, journal);
  removeJournal(folder);
  return commit === null ? "undone" : "was-committed";
}

const RECOVERY_WAIT_MS = 5000;

/** Restores the status document if it is still as the save left it, and removes new files from the index. */
export async function undo(root: string, folder: string, { document, added }: Journal): Promise<void> {
  if (document !== null) {
    const live = readLive(root, document.path);
    const before = document.before === null ? null : Buffer.from(document.before, "base64");
    if (hashOf(live) === document.afterHash) replaceFile(join(root, document.path), live, before, { tmp: folder });
  }
  await takeBackIntent(root, added);
}

/** The commit of a save, by the trailer that `commitMessage` gives it. */
export function findCommit(root: string, checkpointId: string): Promise<FoundCommit | null> {
  return findCommitByTrailer(root, "Checkpoint-Id", checkpointId);
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
  return isRecord(value) && typeof value["checkpointId"] === "string" && Array.isArray(value["added"]);
}

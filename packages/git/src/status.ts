import { statSync } from "node:fs";
import { join } from "node:path";
import { type GitFailure, type GitOptions, type GitResult, namesIn, runGit, runGitSync } from "./run-git.ts";
import { findGitRoot, isCommit, peekHead } from "./work-tree.ts";

/** What git says is uncommitted, or why it cannot say. */
export type ChangedFiles =
  | { readonly status: "known"; readonly root: string; readonly files: readonly string[] }
  | { readonly status: "unknown"; readonly reason: "no-repository" | GitFailure; readonly detail: string };

export interface ListOptions {
  /** Whether files that git does not track yet, and does not ignore, count. */
  readonly untracked: boolean;
  /** How long git may take; 5 seconds by default. */
  readonly timeoutMs?: number | undefined;
  /** Whether a synchronous call is allowed if it is faster. */
  readonly mayWait?: boolean | undefined;
  /** A commit: what was committed since counts as well. */
  readonly since?: string | null | undefined;
}

/** The uncommitted files of the repository that a folder lies in, staged or not, relative to its root; a rename is two files. */
export async function listChangedFiles(folder: string, options: ListOptions): Promise<ChangedFiles> {
  const root = findGitRoot(folder);
  if (root === null) return noRepository(folder);
  const range = committedRange(root, options);
  if (range === null && options.mayWait === true && isSmall(root)) return listChangedFilesSync(root, options);
  const [listed, committed] = await Promise.all([
    runGit(listing(options), settings(root, options)),
    range === null ? null : runGit(range, settings(root, options)),
  ]);
  return withNames(toChangedFiles(root, listed), committed?.ok === true ? namesIn(committed.stdout) : []);
}

/** The same for a caller that has nothing else to do meanwhile. */
export function listChangedFilesSync(folder: string, options: ListOptions): ChangedFiles {
  const root = findGitRoot(folder);
  if (root === null) return noRepository(folder);
  return toChangedFiles(root, runGitSync(listing(options), settings(root, options)));
}

/** Whether git answers before there is much else to do: about a thousand files, by the size of the index. */
function isSmall(root: string): boolean {
  try {
    return statSync(join(root, ".git", "index")).size < SMALL_INDEX_BYTES;
  } catch {
    return false;
  }
}

const SMALL_INDEX_BYTES = 100_000;

function noRepository(folder: string): ChangedFiles {
  return { status: "unknown", reason: "no-repository", detail: `no repository at ${folder}` };
}

/** A diff would bring the index up to date for files that were touched and are the same, and lock it meanwhile. */
function listing({ untracked }: ListOptions): readonly string[] {
  return ["status", "--porcelain", "-z", "--no-renames", `--untracked-files=${untracked ? "all" : "no"}`];
}

/** Asks for what was committed since a commit; null if HEAD has not moved, or the earlier commit is unknown. */
function committedRange(root: string, { since = null }: ListOptions): readonly string[] | null {
  if (since === null || !isCommit(since)) return null;
  const head = peekHead(root);
  return head === null || since === head ? null : ["diff", "--name-only", "-z", "--no-renames", since, head];
}

function withNames(changed: ChangedFiles, names: readonly string[]): ChangedFiles {
  if (changed.status === "unknown" || names.length === 0) return changed;
  return { ...changed, files: [...new Set([...changed.files, ...names])].filter((name) => name !== "").toSorted() };
}

function settings(root: string, { timeoutMs = TIMEOUT_MS }: ListOptions): GitOptions {
  return { cwd: root, timeoutMs };
}

const TIMEOUT_MS = 5000;

/** Each name stands behind two letters for its state and a space. */
function toChangedFiles(root: string, listed: GitResult): ChangedFiles {
  if (!listed.ok) return { status: "unknown", reason: listed.reason, detail: listed.detail };
  const names = namesIn(listed.stdout).map((entry) => entry.slice(3));
  return { status: "known", root, files: [...new Set(names)].filter((name) => name !== "").toSorted() };
}

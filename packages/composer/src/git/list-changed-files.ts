import { statSync } from "node:fs";
import { join } from "node:path";
import { findGitRoot } from "./find-git-root.ts";
import { type GitFailure, type GitResult, runGit, runGitSync } from "./run-git.ts";

/** What git says is uncommitted, or why it cannot say. */
export type ChangedFiles =
  | { readonly status: "known"; readonly root: string; readonly files: readonly string[] }
  | { readonly status: "unknown"; readonly reason: "no-repository" | GitFailure; readonly detail: string };

export interface ListOptions {
  /** Whether files that git does not track yet, and does not ignore, count. */
  readonly untracked: boolean;
  /** How long git may take: 5 seconds unless given. */
  readonly timeoutMs?: number | undefined;
  /** Whether the caller may be kept waiting, where that is faster than to go on meanwhile. */
  readonly mayWait?: boolean | undefined;
}

/** The uncommitted files of the repository that a folder lies in, staged or not, relative to its root; a rename is two files. */
export async function listChangedFiles(folder: string, options: ListOptions): Promise<ChangedFiles> {
  const root = findGitRoot(folder);
  if (root === null) return noRepository(folder);
  if (options.mayWait === true && isSmall(root)) return listChangedFilesSync(root, options);
  return toChangedFiles(root, await runGit(listing(options), root, options.timeoutMs ?? GIT_TIMEOUT_MS));
}

/** The same for a caller that has nothing else to do meanwhile. */
export function listChangedFilesSync(folder: string, options: ListOptions): ChangedFiles {
  const root = findGitRoot(folder);
  if (root === null) return noRepository(folder);
  return toChangedFiles(root, runGitSync(listing(options), root, options.timeoutMs ?? GIT_TIMEOUT_MS));
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

function toChangedFiles(root: string, listed: GitResult): ChangedFiles {
  if (listed.status === "failed") return { status: "unknown", reason: listed.reason, detail: listed.detail };
  return { status: "known", root, files: [...new Set(namesIn(listed.stdout))].toSorted() };
}

const GIT_TIMEOUT_MS = 5000;

/** The names in a listing: each stands behind two letters for its state and a space. */
function namesIn(output: string): readonly string[] {
  return output
    .split("\0")
    .map((entry) => entry.slice(3))
    .filter((name) => name !== "");
}

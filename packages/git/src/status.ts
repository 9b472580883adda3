import { readFileSync, statSync } from "node:fs";
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
  /** The files and folders to ask about; all by default. */
  readonly paths?: readonly string[] | null | undefined;
}

/** The uncommitted files of the repository that a folder lies in, staged or not, relative to its root; a rename is two files. */
export async function listChangedFiles(folder: string, options: ListOptions): Promise<ChangedFiles> {
  const root = findGitRoot(folder);
  if (root === null) return noRepository(folder);
  const { paths, ...whole } = options;
  if (paths != null) {
    const limited = await listPaths(root, options, paths);
    // Git refuses some paths, such as those in a submodule.
    return limited.status === "unknown" && limited.reason === "git-error" ? listChangedFiles(root, whole) : limited;
  }
  const range = committedRange(root, options);
  const size = indexSize(root);
  if (range === null && options.mayWait === true && size < SMALL_INDEX_BYTES)
    return listChangedFilesSync(root, options);
  const isInParts = size > LARGE_INDEX_BYTES && options.untracked;
  const [changed, committed] = await Promise.all([
    isInParts ? listInParts(root, options) : list(root, options, options.untracked ? "all" : "no"),
    range === null ? null : runGit(range, settings(root, options)),
  ]);
  return withNames(changed, committed?.ok === true ? namesIn(committed.stdout) : []);
}

/** Whether git takes so long that asking about few paths later is better than asking about all of them now. */
export function isLargeRepository(root: string): boolean {
  return indexSize(root) > LARGE_INDEX_BYTES;
}

async function listPaths(root: string, options: ListOptions, paths: readonly string[]): Promise<ChangedFiles> {
  if (paths.length === 0) return { status: "known", root, files: [] };
  const range = committedRange(root, options);
  // Asked about a nested repository and a file in it, git reports neither.
  const outermost = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
  const ask = (args: readonly string[]) =>
    runGit(["--literal-pathspecs", ...args, "--", ...outermost], settings(root, options));
  const [listed, committed] = await Promise.all([
    ask(listing(options.untracked ? "all" : "no")),
    range === null ? null : ask(range),
  ]);
  return withNames(toChangedFiles(root, listed), committed?.ok === true ? namesIn(committed.stdout) : []);
}

/**
 * The same answer in a repository of many files, where the walk for untracked ones takes half as long again as everything else.
 *
 * Another git walks at the same time. If the user has git's untracked cache, there is little to walk, but the cache holds
 * only the names of new folders, so their contents are asked for.
 */
export async function listInParts(root: string, options: ListOptions): Promise<ChangedFiles> {
  if (!hasUntrackedCache(root)) {
    const [changed, others] = await Promise.all([list(root, options, "no"), listUntracked(root, options, [])]);
    return together(changed, others);
  }
  const changed = await list(root, options, "normal");
  const folders = changed.status === "known" ? changed.files.filter((name) => name.endsWith("/")) : [];
  if (changed.status === "unknown" || folders.length === 0) return changed;
  const files = changed.files.filter((name) => !name.endsWith("/"));
  return together({ ...changed, files }, await listUntracked(root, options, folders));
}

async function list(root: string, options: ListOptions, untracked: Untracked): Promise<ChangedFiles> {
  return toChangedFiles(root, await runGit(listing(untracked), settings(root, options)));
}

function listUntracked(root: string, options: ListOptions, folders: readonly string[]): Promise<GitResult> {
  return runGit(["ls-files", "-z", "--others", "--exclude-standard", "--", ...folders], settings(root, options));
}

function together(changed: ChangedFiles, others: GitResult): ChangedFiles {
  return others.ok ? withNames(changed, namesIn(others.stdout)) : toChangedFiles("", others);
}

/** If these letters occur elsewhere in the index, that costs one more question and loses no name. */
function hasUntrackedCache(root: string): boolean {
  try {
    return readFileSync(join(root, ".git", "index")).includes("UNTR");
  } catch {
    return false;
  }
}

/** The same, synchronously. */
export function listChangedFilesSync(folder: string, options: ListOptions): ChangedFiles {
  const root = findGitRoot(folder);
  if (root === null) return noRepository(folder);
  return toChangedFiles(root, runGitSync(listing(options.untracked ? "all" : "no"), settings(root, options)));
}

/** About a thousand files: git answers before there is much else to do. */
const SMALL_INDEX_BYTES = 100_000;

/** About twenty thousand files: a second git is worth its start. */
const LARGE_INDEX_BYTES = 2_000_000;

/** The size of the index; of a linked work tree, whose `.git` is a file, as if it were of a common size. */
function indexSize(root: string): number {
  try {
    return statSync(join(root, ".git", "index")).size;
  } catch {
    return SMALL_INDEX_BYTES;
  }
}

function noRepository(folder: string): ChangedFiles {
  return { status: "unknown", reason: "no-repository", detail: `no repository at ${folder}` };
}

/** A diff would bring the index up to date for files that were touched and are the same, and lock it meanwhile. */
function listing(untracked: Untracked): readonly string[] {
  return ["status", "--porcelain", "-z", "--no-renames", `--untracked-files=${untracked}`];
}

type Untracked = "all" | "normal" | "no";

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

import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type GitFailure, runGit, runGitSync } from "./run-git.ts";

/** No system call takes a longer path. */
const MAX_PATH_LENGTH = 4096;

/** The root of the work tree that a folder lies in; a worktree or submodule has a `.git` file instead of a folder. */
export function findGitRoot(folder: string): string | null {
  if (folder.length > MAX_PATH_LENGTH) return null;
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if (dirname(current) === current) return null;
  }
}

/** A work tree and its folders. */
export interface WorkTree {
  readonly root: string;
  /** The folder of this work tree: index, HEAD. */
  readonly gitDir: string;
  /** The folder that all work trees of the repository share. */
  readonly commonDir: string;
}

export type WorkTreeReading =
  | { readonly ok: true; readonly workTree: WorkTree }
  | { readonly ok: false; readonly reason: GitFailure; readonly detail: string };

/** The work tree that a folder lies in, as git sees it. */
export async function readWorkTree(folder: string): Promise<WorkTreeReading> {
  const result = await runGit(
    ["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-dir", "--git-common-dir"],
    { cwd: folder },
  );
  if (!result.ok) return result;
  const [root, gitDir, commonDir, ...rest] = result.stdout.toString("utf8").trimEnd().split("\n");
  if (!root || !gitDir || !commonDir || rest.length > 0) {
    return { ok: false, reason: "git-error", detail: "git's answer has folders with line breaks in their names" };
  }
  return { ok: true, workTree: { root: realpathSync(root), gitDir, commonDir: realpathSync(commonDir) } };
}

/**
 * The same from git's own files without a process, for an ordinary repository of this user's; null wherever git has to be
 * asked: without a repository, in a linked work tree, or if a setting, a mount or another owner may make a difference.
 */
export function peekWorkTree(folder: string): WorkTree | null {
  const start = realpathSync(folder);
  const root = findGitRoot(start);
  if (root === null) return null;
  const gitDir = join(root, ".git");
  const found = lstatSync(gitDir);
  const isOurs = [found, statSync(root)].every(({ uid }) => uid === process.geteuid?.());
  if (!found.isDirectory() || !isOurs) return null;
  const { dev } = found;
  for (let current = start; ; current = dirname(current)) {
    // A folder with a HEAD may be a repository without a work tree.
    if (existsSync(join(current, "HEAD")) || statSync(current).dev !== dev) return null;
    if (current === root) break;
  }
  const config = readIfAny(join(gitDir, "config")) ?? "";
  const isPlain = /^\s*bare = false$/m.test(config) && /^\s*repositoryformatversion = 0$/m.test(config);
  const isWhole = peekHead(root) !== null && ["objects", "refs"].every((name) => existsSync(join(gitDir, name)));
  const isElsewhere = /worktree|\[include|\[extensions/i.test(config) || existsSync(join(gitDir, "commondir"));
  return isPlain && isWhole && !isElsewhere ? { root, gitDir, commonDir: gitDir } : null;
}

/** The operations in progress in a work tree, by the file that shows each. */
const OPERATIONS = [
  { file: "MERGE_HEAD", name: "merge" },
  { file: "rebase-merge", name: "rebase" },
  { file: "rebase-apply", name: "rebase" },
  { file: "CHERRY_PICK_HEAD", name: "cherry-pick" },
  { file: "REVERT_HEAD", name: "revert" },
  { file: "sequencer", name: "cherry-pick" },
  { file: "BISECT_LOG", name: "bisect" },
] as const;

/** An operation that a person has begun and not finished, with the file that shows it. */
export type Operation = (typeof OPERATIONS)[number];

/** The operation in progress in a work tree; null for none. */
export function operationIn({ gitDir }: Pick<WorkTree, "gitDir">): Operation | null {
  return OPERATIONS.find(({ file }) => existsSync(join(gitDir, file))) ?? null;
}

/** The commit that HEAD is at; null without a repository, a commit or git. */
export function readHeadSync(root: string): string | null {
  const result = runGitSync(READ_HEAD, { cwd: root, timeoutMs: HEAD_TIMEOUT_MS });
  const head = result.ok ? result.stdout.toString("utf8").trim() : "";
  return isCommit(head) ? head : null;
}

/** The same, asynchronously. */
export async function readHead(root: string): Promise<string | null> {
  const result = await runGit(READ_HEAD, { cwd: root });
  const head = result.ok ? result.stdout.toString("utf8").trim() : "";
  return isCommit(head) ? head : null;
}

const READ_HEAD = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"] as const;
const HEAD_TIMEOUT_MS = 5000;

/**
 * The folder that all work trees of a repository share, from git's own files without a process; the root if they do not show
 * it.
 */
export function peekRepository(root: string): string {
  const gitDir = gitDirOf(root);
  const commonDir = gitDir === null ? null : (linkedDir(join(gitDir, "commondir"), /^(.+)$/m) ?? gitDir);
  return commonDir === null || commonDir === join(root, ".git") ? root : commonDir.replace(/[\\/]\.git$/, "");
}

/** The commit that HEAD is at, from git's own files without a process; null if they do not show it. */
export function peekHead(root: string): string | null {
  const gitDir = gitDirOf(root);
  const head = gitDir === null ? null : readIfAny(join(gitDir, "HEAD"));
  if (gitDir === null || head === null) return null;
  const [, ref] = /^ref: (\S+)$/m.exec(head) ?? [];
  if (ref === undefined) return commitIn(head);
  const commonDir = linkedDir(join(gitDir, "commondir"), /^(.+)$/m) ?? gitDir;
  return commitIn(readIfAny(join(commonDir, ref)) ?? "") ?? packedCommit(commonDir, ref);
}

/** The folder of a work tree's own index and HEAD; null if the file in its place names none. */
export function gitDirOf(root: string): string | null {
  const dotGit = join(root, ".git");
  const isFile = statSync(dotGit, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? linkedDir(dotGit, /^gitdir: (.+)$/m) : dotGit;
}

/** The folder that a file of git's names, relative to the file's own. */
function linkedDir(file: string, line: RegExp): string | null {
  const [, folder] = line.exec(readIfAny(file) ?? "") ?? [];
  return folder === undefined ? null : resolve(dirname(file), folder);
}

function packedCommit(commonDir: string, ref: string): string | null {
  const line = (readIfAny(join(commonDir, "packed-refs")) ?? "").split("\n").find((one) => one.endsWith(` ${ref}`));
  return commitIn(line?.split(" ")[0] ?? "");
}

function commitIn(text: string): string | null {
  const commit = text.trim();
  return isCommit(commit) ? commit : null;
}

const MAX_GIT_FILE_BYTES = 4 * 1024 * 1024;

function readIfAny(file: string): string | null {
  try {
    return statSync(file).size > MAX_GIT_FILE_BYTES ? null : readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/** Whether a text is the full name of a commit, and so safe to pass to git. */
export function isCommit(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** Whether git tracks a file. */
export function isTrackedSync(root: string, path: string): boolean {
  return runGitSync(["ls-files", "--error-unmatch", "--", path], { cwd: root, timeoutMs: HEAD_TIMEOUT_MS }).ok;
}

/** How HEAD relates to an earlier commit: at it, ahead of it, behind it, on another line, or unknown. */
export type HeadRelation = "same" | "ahead" | "behind" | "diverged" | "unknown";

/** How HEAD relates to a saved commit. */
export function relateHead(root: string, saved: string, head: string | null): HeadRelation {
  if (saved === head) return "same";
  if (head === null || !isCommit(saved)) return "unknown";
  const answers = [isAncestor(root, saved, head), isAncestor(root, head, saved)];
  if (answers[0] === true) return "ahead";
  if (answers[1] === true) return "behind";
  return answers.includes(null) || isShallow(root) ? "unknown" : "diverged";
}

function isAncestor(root: string, older: string, newer: string): boolean | null {
  const result = runGitSync(["merge-base", "--is-ancestor", older, newer], { cwd: root, timeoutMs: HEAD_TIMEOUT_MS });
  if (result.ok) return true;
  return result.exitCode === 1 ? false : null;
}

/** A shallow clone lacks the commits that would show it. */
function isShallow(root: string): boolean {
  const result = runGitSync(["rev-parse", "--is-shallow-repository"], { cwd: root, timeoutMs: HEAD_TIMEOUT_MS });
  return !result.ok || result.stdout.toString("utf8").trim() !== "false";
}

import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { listNames, names, readCommitted, readLive } from "../git/read-texts.ts";
import { runGit } from "../git/run-git.ts";
import { explainText } from "../ledger/explain-text.ts";
import { judgeFile, type NotOwn } from "../ledger/judge-file.ts";
import type { WrittenFile } from "../ledger/session-writes.ts";

/** Why a file of the session's is not committed. */
export type LeftOutReason =
  | NotOwn
  | "ignored"
  | "nested_repository"
  | "link"
  | "secret"
  | "too_large"
  | "not_in_commit";

/** The session's files that differ from the last commit. */
export interface SelectedFiles {
  readonly own: readonly string[];
  readonly leftOut: Readonly<Record<string, LeftOutReason>>;
  /** Those of `own` that git does not know yet. */
  readonly added: readonly string[];
}

export interface SelectFacts {
  readonly root: string;
  readonly head: string | null;
  readonly written: ReadonlyMap<string, WrittenFile>;
  /** What git says is changed, new files included. */
  readonly changed: readonly string[];
  /** What was dirty when the session began; null where nobody noted it. */
  readonly baseline: Readonly<Record<string, string>> | null;
}

/** Sorts the session's changed files into those that are its own alone, and those that are left out, with the reason. */
export async function selectFiles(facts: SelectFacts): Promise<SelectedFiles> {
  const { root, head, written, changed, baseline } = facts;
  const touched = changedByWrites(changed, written);
  const index = await readIndex(root);
  const own: string[] = [];
  const leftOut: Record<string, LeftOutReason> = {};
  const there = [...written.keys()].filter((path) => existsSync(join(root, path)));
  for (const path of there) {
    const place = oddPlace(root, path);
    if (place !== null) leftOut[path] = place;
  }
  for (const path of await ignoredAmong(
    root,
    there.filter((path) => !(path in leftOut)),
  ))
    leftOut[path] = "ignored";
  for (const [path, write] of touched) {
    if (path in leftOut) continue;
    const reason =
      oddPlace(root, path) ??
      judgeFile({
        written: write,
        committed: head === null ? null : textOf(await readCommitted(root, head, path)),
        live: textOf(readLive(root, path)),
        staged: index.isPartly(path) ? textOf(await readCommitted(root, "", path)) : null,
        stats: lstatSync(join(root, path), { throwIfNoEntry: false }) ?? null,
        wasDirty: baseline === null ? null : path in baseline,
      });
    if (reason === null) own.push(path);
    else if (reason !== "mixed" || !(await isCommittedAlready(root, head, write))) leftOut[path] = reason;
  }
  return { own, leftOut, added: own.filter((path) => !index.tracked.has(path)) };
}

/** Whether the agent's last edit of a file is in the commit: what has changed since is none of its work. */
async function isCommittedAlready(root: string, head: string | null, write: WrittenFile): Promise<boolean> {
  if (head === null) return false;
  const { path } = write;
  const log = await runGit(["log", `--max-count=${LOOK_BACK}`, "--format=%H", head, "--", path], { cwd: root });
  const [, ...earlier] = log.stdout.toString("utf8").trim().split("\n");
  const live = textOf(await readCommitted(root, head, path));
  if (live === null) return false;
  const texts = await Promise.all(earlier.map(async (revision) => textOf(await readCommitted(root, revision, path))));
  return [...texts, null].some((committed) => explainText({ ...write, committed, live }).isOwn);
}

const LOOK_BACK = 6;

/** A file that is gone may have been named by its folder. */
function changedByWrites(
  changed: readonly string[],
  written: ReadonlyMap<string, WrittenFile>,
): readonly (readonly [string, WrittenFile])[] {
  return changed.flatMap((path) => {
    const write = written.get(path) ?? parentsOf(path).flatMap((folder) => written.get(folder) ?? [])[0];
    return write === undefined ? [] : [[path, write] as const];
  });
}

function parentsOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, depth) => parts.slice(0, depth + 1).join("/"));
}

/** What of the index matters: which files it has, and which of them are staged otherwise than they are on disk. */
async function readIndex(root: string) {
  const [tracked, staged, unstaged] = await Promise.all([
    listNames(["ls-files", "-z"], root),
    listNames(["diff", "--cached", "--name-only", "--no-renames", "--ita-invisible-in-index", "-z"], root),
    listNames(["diff", "--name-only", "--no-renames", "-z"], root),
  ]);
  return {
    tracked,
    isStaged: (path: string) => staged.has(path),
    isPartly: (path: string) => staged.has(path) && unstaged.has(path),
  };
}

/** Whether something about a file is staged. */
export async function isStaged(root: string, path: string): Promise<boolean> {
  return (await readIndex(root)).isStaged(path);
}

async function ignoredAmong(root: string, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const { stdout } = await runGit(["check-ignore", "-z", "--stdin"], { cwd: root, input: `${paths.join("\0")}\0` });
  return names(stdout);
}

/** Whether git would refuse to take the path, or take something else than was written. */
function oddPlace(root: string, path: string): LeftOutReason | null {
  const file = join(root, path);
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) return "link";
  for (let folder = dirname(file); folder.length > root.length; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return "nested_repository";
    if (existsSync(folder) && realpathSync(folder) !== join(realpathSync(root), folder.slice(root.length)))
      return "link";
  }
  return null;
}

function textOf(bytes: Buffer | null): string | null {
  return bytes?.toString("utf8") ?? null;
}

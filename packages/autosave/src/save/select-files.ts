import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { listChangedFiles, listNames, namesIn, readCommitted, runGitAsUser } from "@agent-checkpoint/git";
import { explainText, isSameText, judgeFile, type NotOwn } from "../ledger/explain-text.ts";
import type { FileEdit, WrittenFile } from "../ledger/session-writes.ts";
import type { SaveRequest } from "./save-report.ts";
import { readLive } from "./repository.ts";

/** Sorts the files that git lists as changed; null if git fails. */
export async function selectChanged(
  request: SaveRequest,
  root: string,
  { written, head }: { readonly written: ReadonlyMap<string, WrittenFile>; readonly head: string | null },
): Promise<SelectedFiles | null> {
  const changed = await listChangedFiles(root, { untracked: true, timeoutMs: 10_000 });
  if (changed.status === "unknown") return null;
  return selectFiles({ root, head, written, changed: changed.files, baseline: request.baseline });
}

/** Why a file of the session's is not committed. */
export type LeftOutReason =
  | NotOwn
  | "ignored"
  | "nested-repository"
  | "link"
  | "secret"
  | "too-large"
  | "not-in-commit";

/** The session's files that differ from the last commit. */
export interface SelectedFiles {
  readonly own: readonly string[];
  readonly leftOut: Readonly<Record<string, LeftOutReason>>;
  /** Those of `own` that git does not know yet. */
  readonly added: readonly string[];
}

interface SelectFacts {
  readonly root: string;
  readonly head: string | null;
  readonly written: ReadonlyMap<string, WrittenFile>;
  /** The changed files according to git, new files included. */
  readonly changed: readonly string[];
  /** What was dirty when the session began; null if unknown. */
  readonly baseline: Readonly<Record<string, string>> | null;
}

/** Sorts the session's changed files into those that are its own alone, and those that are left out, with the reason. */
async function selectFiles(facts: SelectFacts): Promise<SelectedFiles> {
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
  const gone = touched.filter(([path]) => !existsSync(join(root, path))).map(([, write]) => write);
  for (const [path, write] of touched) {
    if (path in leftOut) continue;
    const odd = oddPlace(root, path) ?? index.stateOf(path, existsSync(join(root, path)));
    const committed = head === null ? null : textOf(await readCommitted(root, head, path));
    const live = textOf(readLive(root, path));
    const reason =
      odd ??
      judgeFile({
        written: write,
        committed,
        live,
        staged: index.isPartly(path) ? textOf(await readCommitted(root, "", path)) : null,
        stats: lstatSync(join(root, path), { throwIfNoEntry: false }) ?? null,
        wasDirty: baseline === null ? null : path in baseline,
      });
    const isMoved = odd === null && committed === null && live !== null;
    if (reason === null || (isMoved && (await isMovedByAgent(root, { head, write, live, gone })))) own.push(path);
    else if (reason !== "mixed" || !(await isCommittedAlready(root, head, write))) leftOut[path] = reason;
  }
  const isNew = (path: string) => !index.tracked.has(path) && existsSync(join(root, path));
  return { own, leftOut, added: own.filter(isNew) };
}

/** Whether the agent moved a file: the new one has the text of the missing one, with the edits of both. */
async function isMovedByAgent(
  root: string,
  facts: {
    readonly head: string | null;
    readonly write: WrittenFile;
    readonly live: string;
    readonly gone: readonly WrittenFile[];
  },
): Promise<boolean> {
  const { head, write, live, gone } = facts;
  if (head === null || !write.edits.some(isUnknown)) return false;
  for (const { path, edits } of gone.slice(0, MAX_MOVED)) {
    const committed = textOf(await readCommitted(root, head, path));
    const all = [...edits, ...write.edits].filter((edit) => !isUnknown(edit));
    if (committed === null) continue;
    if (isSameText(committed, live) || explainText({ ...write, edits: all, committed, live }).isOwn) return true;
  }
  return false;
}

const MAX_MOVED = 20;

function isUnknown({ kind }: FileEdit): boolean {
  return kind === "unknown";
}

/** Whether the agent's last edit of a file is in the commit: later changes are not the agent's. */
async function isCommittedAlready(root: string, head: string | null, write: WrittenFile): Promise<boolean> {
  if (head === null) return false;
  const { path } = write;
  const log = await runGitAsUser(["log", `--max-count=${LOOK_BACK}`, "--format=%H", head, "--", path], { cwd: root });
  const [, ...earlier] = log.ok ? log.stdout.toString("utf8").trim().split("\n") : [];
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
    /** A file that was removed from the index but is on disk is not added again. */
    stateOf: (path: string, isThere: boolean): "staged" | null =>
      isThere && staged.has(path) && !tracked.has(path) ? "staged" : null,
  };
}

/** Whether something about a file is staged. */
export async function isStaged(root: string, path: string): Promise<boolean> {
  return (await readIndex(root)).isStaged(path);
}

async function ignoredAmong(root: string, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const input = `${paths.join("\0")}\0`;
  const result = await runGitAsUser(["check-ignore", "-z", "--stdin"], { cwd: root, input });
  return result.ok ? namesIn(result.stdout) : [];
}

/** Whether git would refuse the path, or store something else than the file. */
export function oddPlace(root: string, path: string): "link" | "nested-repository" | null {
  const file = join(root, path);
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) return "link";
  for (let folder = dirname(file); folder.length > root.length; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return "nested-repository";
    if (existsSync(folder) && realpathSync(folder) !== join(realpathSync(root), folder.slice(root.length)))
      return "link";
  }
  return null;
}

function textOf(bytes: Buffer | null): string | null {
  return bytes?.toString("utf8") ?? null;
}

/** A file that git does not see does not wait for a commit. */
export function isOpenReason(reason: LeftOutReason): boolean {
  return reason !== "ignored" && reason !== "nested-repository" && reason !== "link";
}

/** A file at the root that is included in the commit if it exists, has changed, and nothing of it is staged. */
export async function guideState(
  root: string,
  path: string,
): Promise<readonly { readonly path: string; readonly isNew: boolean }[]> {
  const file = join(root, path);
  if (!existsSync(file) || !lstatSync(file).isFile()) return [];
  const [line] = await listNames(
    ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--", path],
    root,
  );
  if (line === undefined) return [];
  const state = line.slice(0, 2);
  return state === "??" || state === " M" ? [{ path, isNew: state === "??" }] : [];
}

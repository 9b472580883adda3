import type { BytePath } from "../paths/byte-path.ts";
import { outputOf } from "../store/repository.ts";
import { type GitResult, type GitRunOptions, type WorkTree, readWorkTree, runGit as run } from "@agent-checkpoint/git";

/** What a path was on one side of a comparison and is on the other. */
export interface RawChange {
  readonly path: BytePath;
  readonly oldMode: string;
  readonly oldOid: string;
  readonly newMode: string;
  /** `A`, `D`, `M`, `T`, or `U` if it is unmerged. */
  readonly letter: string;
}

/** What git says of a work tree within some paths. */
export interface Changes {
  /** The commit that HEAD stands at; null before the first one. */
  readonly head: string | null;
  readonly branch: string | null;
  /** The index against HEAD; nothing before the first commit. */
  readonly staged: readonly RawChange[];
  /** The files against the index. */
  readonly unstaged: readonly RawChange[];
  /** Files that git does not know and does not ignore; a repository of its own ends with `/`. */
  readonly untracked: readonly BytePath[];
  /** What git ignores; a folder stands for all that is in it. */
  readonly ignored: readonly BytePath[];
}

/** Asks git for everything at once; an empty list of paths is the whole tree. */
export async function readChanges(tree: WorkTree, paths: readonly BytePath[]): Promise<Changes> {
  const result = await runGit([...STATUS, "--", ...pathspecs(paths)], { cwd: tree.root });
  return parseStatus(parseNames(outputOf(result)));
}

const STATUS = [
  "status",
  "--porcelain=v2",
  "--branch",
  "--no-ahead-behind",
  "-z",
  "--no-renames",
  "--untracked-files=all",
  "--ignored=matching",
  "--ignore-submodules=none",
];

/** Understands the rows of `git status --porcelain=v2 --branch`. */
function parseStatus(rows: readonly string[]): Changes {
  const heads = new Map(rows.flatMap((row) => (row.startsWith("# ") ? [[row.split(" ")[1], row.split(" ")[2]]] : [])));
  const oid = heads.get("branch.oid") ?? "(initial)";
  const branch = heads.get("branch.head") ?? "(detached)";
  const staged: RawChange[] = [];
  const unstaged: RawChange[] = [];
  for (const row of rows) {
    if (row.startsWith("1 ")) {
      const [, letters = "", , inHead = "", inIndex = "", onDisk = "", headOid = "", indexOid = "", ...rest] =
        row.split(" ");
      const path = rest.join(" ");
      const [x = ".", y = "."] = letters;
      if (x !== ".") staged.push({ path, oldMode: inHead, oldOid: headOid, newMode: inIndex, letter: x });
      if (y !== ".") unstaged.push({ path, oldMode: inIndex, oldOid: indexOid, newMode: onDisk, letter: y });
    } else if (row.startsWith("u ")) {
      const [, , , mode = "", , , onDisk = "", ...rest] = row.split(" ");
      const change = { path: rest.slice(3).join(" "), oldMode: mode, oldOid: "", newMode: onDisk, letter: "U" };
      staged.push(change);
      unstaged.push(change);
    }
  }
  const named = (sign: string): readonly BytePath[] =>
    rows.flatMap((row) => (row.startsWith(sign) ? [row.slice(sign.length)] : []));
  return {
    head: oid.startsWith("(") ? null : oid,
    branch: branch.startsWith("(") ? null : branch,
    staged: oid.startsWith("(") ? [] : staged,
    unstaged,
    untracked: named("? "),
    ignored: named("! ").map((path) => path.replace(/\/$/, "")),
  };
}

/** Paths as arguments; so many that they would not fit are the whole tree, and the caller picks its own. */
export function pathspecs(paths: readonly BytePath[]): readonly string[] {
  const texts = paths.map((path) => Buffer.from(path, "latin1").toString("utf8"));
  const isArgument = paths.length <= 500 && texts.every((text) => !text.includes("\uFFFD"));
  return isArgument && !paths.includes("") ? texts : [];
}

/** The mode of a submodule in an index. */
export const GITLINK = "160000";

/** The fields of an output that ends each with NUL. */
export function parseNames(output: Buffer): readonly BytePath[] {
  const names = output.toString("latin1").split("\0");
  names.pop();
  return names;
}

/** How many of the captured paths differ from HEAD, by what git says of their times and contents. */
export function countUncommitted(changes: Changes, isCaptured: (path: BytePath) => boolean): number {
  const changed = new Set([
    ...changes.staged.map(({ path }) => path),
    ...changes.unstaged.map(({ path }) => path),
    ...changes.untracked,
  ]);
  return [...changed].filter(isCaptured).length;
}

export type { GitResult } from "@agent-checkpoint/git";

export interface GitOptions extends GitRunOptions {
  /** Whether the exit code 1 is an answer: that nothing was found. */
  readonly isNothingOk?: boolean;
}

/** That a file has not changed is concluded from all that the disk says of it. */
const SETTINGS = ["core.checkStat=default", "core.trustctime=true", "core.ignoreStat=false"];

/** Runs git as snapshots need it: with time for large trees, output of any length, and no belief in stale dates. */
export async function runGit(
  args: readonly string[],
  { isNothingOk = false, ...options }: GitOptions,
): Promise<GitResult> {
  const result = await run(args, { timeoutMs: 60_000, maxBytes: Infinity, settings: SETTINGS, ...options });
  if (result.ok || !isNothingOk || result.exitCode !== 1) return result;
  return { ok: true, stdout: Buffer.alloc(0) };
}

export type { WorkTree } from "@agent-checkpoint/git";

/** The work tree that a folder lies in, or why there is none. */
export async function findWorkTree(folder: string): Promise<WorkTree | { readonly none: string }> {
  const reading = await readWorkTree(folder);
  return reading.ok ? reading.workTree : { none: reading.detail };
}

/** What is known of the repository at a checkpoint. */
export interface GitFacts {
  /** The commit that HEAD stood at; null before the first one. */
  readonly head: string | null;
  readonly branch: string | null;
  /** A merge, rebase or the like under way. */
  readonly operation: string | null;
}

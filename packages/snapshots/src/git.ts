import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type GitResult,
  type GitRunOptions,
  peekHead,
  readHead,
  runGit as run,
  type WorkTree,
} from "@agent-checkpoint/git";
import type { Entry } from "./manifest.ts";
import { changeOf } from "./objects.ts";
import type { BytePath } from "./paths.ts";
import type { StoreLayout } from "./place.ts";
import { SafetyError, type TroubleCode } from "./trouble.ts";

/** Runs git as snapshots need it: with time for large trees, output of any length, and no belief in stale dates. */
export function runGit(args: readonly string[], options: GitRunOptions): Promise<GitResult> {
  return run(args, { timeoutMs: 600_000, maxBytes: Infinity, settings: SETTINGS, ...options });
}

/** That a file has not changed is concluded from all that the disk says of it. */
const SETTINGS = ["core.checkStat=default", "core.trustctime=true", "core.ignoreStat=false"];

/** Runs git in the repository of a store. */
export function storeGit(
  { repository }: StoreLayout,
  args: readonly string[],
  options: Partial<GitRunOptions> = {},
): Promise<GitResult> {
  return runGit(args, { cwd: repository, ...options, env: { GIT_DIR: repository, ...options.env } });
}

/** The output of git, or the trouble it had. */
export function outputOf(result: GitResult): Buffer {
  if (result.ok) return result.stdout;
  throw gitTrouble(result.detail);
}

/** What git says about itself, as a trouble; its first line says it. */
export function gitTrouble(detail: string): SafetyError {
  if (detail.startsWith("spawn git ENOENT"))
    return new SafetyError("git", "Snapshots are stored by git, and there is no `git` here.", "Install git.");
  const [line = ""] = detail.split("\n");
  const { code, advice } = GIT_TROUBLES.find(({ said }) => said.test(detail)) ?? { code: "git", advice: null };
  return new SafetyError(code, `git: ${line}`, advice);
}

const GIT_TROUBLES: readonly { readonly said: RegExp; readonly code: TroubleCode; readonly advice: string | null }[] = [
  {
    said: /No space left on device|Out of diskspace|Disk quota exceeded/,
    code: "no-space",
    advice: "Make room on the disk, or narrow the scope, and try again.",
  },
  { said: /Permission denied|Read-only file system/, code: "not-writable", advice: null },
];

/** What a path was on one side of a comparison and is on the other. */
export interface RawChange {
  readonly path: BytePath;
  readonly oldMode: string;
  readonly oldOid: string;
  readonly newMode: string;
  readonly newOid: string;
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
  const rows = parseNames(outputOf(await runGit([...STATUS, "--", ...pathspecs(paths)], { cwd: tree.root })));
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
      const index = { mode: inIndex, oid: indexOid };
      if (x !== ".") staged.push(rawChange(path, x, { mode: inHead, oid: headOid }, index));
      if (y !== ".") unstaged.push(rawChange(path, y, index, { mode: onDisk, oid: "" }));
    } else if (row.startsWith("u ")) {
      const [, , , mode = "", , , onDisk = "", ...rest] = row.split(" ");
      const change = rawChange(rest.slice(3).join(" "), "U", { mode, oid: "" }, { mode: onDisk, oid: "" });
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

export type Side = { readonly mode: string; readonly oid: string };

export function rawChange(path: BytePath, letter: string, old: Side, now: Side): RawChange {
  return { path, letter, oldMode: old.mode, oldOid: old.oid, newMode: now.mode, newOid: now.oid };
}

/**
 * The same of a few files, in a time that does not grow with the tree: where the index has them as HEAD has, git need not
 * go through it. Whether a file is as in the index is not asked, since its contents will tell.
 */
export async function readNamed(tree: WorkTree, paths: readonly BytePath[]): Promise<Changes> {
  const head = peekHead(tree.root) ?? (await readHead(tree.root));
  if (head === null || pathspecs(paths).length === 0) return readChanges(tree, paths);
  const [index, listed] = await Promise.all([
    runGit(["diff-index", "--cached", "--raw", "--no-abbrev", "--no-renames", "-z", head], { cwd: tree.root }),
    runGit(["ls-tree", "-z", "--full-tree", head, "--", ...pathspecs(paths)], { cwd: tree.root }),
  ]);
  const wanted = new Set(paths);
  const fields = parseNames(outputOf(index));
  const staged = fields.flatMap((path, at): readonly RawChange[] => {
    const [oldMode = "", newMode = "", oldOid = "", newOid = "", letter = ""] = (fields[at - 1] ?? "")
      .slice(1)
      .split(" ");
    return at % 2 === 1 && wanted.has(path)
      ? [{ path, oldMode, newMode, oldOid, newOid, letter: letter.slice(0, 1) }]
      : [];
  });
  const sides = new Map<BytePath, Side>();
  for (const row of parseNames(outputOf(listed))) {
    const [mode = "", , oid = ""] = row.slice(0, row.indexOf("\t")).split(" ");
    if (mode !== "040000") sides.set(row.slice(row.indexOf("\t") + 1), { mode, oid });
  }
  for (const { path, newMode, newOid } of staged) sides.set(path, { mode: newMode, oid: newOid });
  const isTracked = (path: BytePath): boolean => (sides.get(path)?.mode ?? ABSENT) !== ABSENT;
  const unmerged = staged.filter(({ letter }) => letter === "U");
  const unstaged = [...sides]
    .filter(([path]) => isTracked(path))
    .map(([path, side]) => rawChange(path, "M", side, side));
  const [, branch = null] = /^ref: refs\/heads\/(.+)$/m.exec(readFileSync(join(tree.gitDir, "HEAD"), "utf8")) ?? [];
  const untracked = paths.filter((path) => !isTracked(path));
  return { head, branch, staged, unstaged: [...unstaged, ...unmerged], untracked, ignored: [] };
}

/** How git writes that nothing is at a path. */
export const ABSENT = "000000";
export const NOTHING: Side = { mode: ABSENT, oid: "" };

/** The mode of a submodule in an index. */
export const GITLINK = "160000";

/** Whether a file is as the index has it, though git has named it. */
export function isAsIndexed({ letter, oldMode, oldOid }: RawChange, entry: Entry): boolean {
  const { mode, oid } = changeOf(entry);
  return letter === "M" && oldMode === mode && oldOid === oid;
}

/** Paths as arguments; so many that they would not fit are the whole tree, and the caller picks its own. */
export function pathspecs(paths: readonly BytePath[]): readonly string[] {
  const texts = paths.map((path) => Buffer.from(path, "latin1").toString("utf8"));
  const isArgument = paths.length <= 500 && texts.every((text) => !text.includes("\uFFFD"));
  return isArgument && !paths.includes("") ? texts : [];
}

/** The fields of an output that ends each with NUL. */
export function parseNames(output: Buffer): readonly BytePath[] {
  const names = output.toString("latin1").split("\0");
  names.pop();
  return names;
}

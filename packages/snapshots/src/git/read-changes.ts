import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BytePath } from "../paths/byte-path.ts";
import { SafetyError } from "../trouble.ts";
import type { WorkTree } from "./find-work-tree.ts";
import { lookAtHead } from "./look-at-head.ts";
import { parseNames, parseRawDiff, type RawChange } from "./raw-diff.ts";
import { type GitResult, runGit } from "./run-git.ts";

/** What git says of a work tree within some paths. */
export interface Changes {
  readonly head: string | null;
  readonly branch: string | null;
  /** The index against HEAD. */
  readonly staged: readonly RawChange[];
  /** The files against the index, by their times: some may turn out to be the same. */
  readonly unstaged: readonly RawChange[];
  /** Files that git does not know and does not ignore; a repository of its own ends with `/`. */
  readonly untracked: readonly BytePath[];
}

/** Asks git for everything at once that it was not asked before; an empty list of paths is the whole tree. */
export async function readChanges(
  tree: WorkTree,
  paths: readonly BytePath[],
  asked: { readonly unstaged?: Promise<GitResult>; readonly untracked?: Promise<GitResult> } = {},
): Promise<Changes> {
  const seen = lookAtHead(tree);
  const [head, staged, unstaged, untracked] = await Promise.all([
    seen ?? askHead(tree),
    runGit(["diff-index", "--cached", "--raw", "-z", "--no-renames", seen ?? "HEAD", "--", ...pathspecs(paths)], {
      cwd: tree.root,
    }),
    asked.unstaged ?? askUnstaged(tree, paths),
    asked.untracked ?? askUntracked(tree, paths),
  ]);
  return {
    head,
    branch: branchOf(tree),
    // Before the first commit there is nothing to compare the index with.
    staged: head === null ? [] : parseRawDiff(outputOf(staged)),
    unstaged: parseRawDiff(outputOf(unstaged)),
    untracked: parseNames(outputOf(untracked)),
  };
}

/** Asks git which files differ from the index, as rows of `parseRawDiff`. */
export function askUnstaged(tree: WorkTree, paths: readonly BytePath[]): Promise<GitResult> {
  const args = ["diff-files", "--raw", "-z", "--no-renames", "--ignore-submodules=none", "--", ...pathspecs(paths)];
  return runGit(args, { cwd: tree.root });
}

/** Asks git which files it neither knows nor ignores, as names of `parseNames`. */
export function askUntracked(tree: WorkTree, paths: readonly BytePath[]): Promise<GitResult> {
  return runGit(["ls-files", "--others", "--exclude-standard", "-z", "--", ...pathspecs(paths)], { cwd: tree.root });
}

async function askHead(tree: WorkTree): Promise<string | null> {
  const head = await runGit(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { cwd: tree.root });
  return head.status === "ok" ? head.stdout.toString("latin1").trim() : null;
}

/** The branch that HEAD names; null where it is detached, or kept in a way of its own. */
export function branchOf({ gitDir }: WorkTree): string | null {
  try {
    return /^ref: refs\/heads\/(?!\.invalid)(.+)$/m.exec(readFileSync(join(gitDir, "HEAD"), "utf8"))?.[1] ?? null;
  } catch {
    return null;
  }
}

/** The output of git, or the trouble it had. */
export function outputOf(result: GitResult): Buffer {
  if (result.status === "ok") return result.stdout;
  throw new SafetyError("git", `git failed: ${result.detail}`, "Use --type file_backup to go without git.");
}

/** Paths as arguments; so many that they would not fit are the whole tree, and the caller picks its own. */
export function pathspecs(paths: readonly BytePath[]): readonly string[] {
  const texts = paths.map((path) => Buffer.from(path, "latin1").toString("utf8"));
  const isArgument = paths.length <= 500 && texts.every((text) => !text.includes("\uFFFD"));
  return isArgument && !paths.includes("") ? texts : [];
}

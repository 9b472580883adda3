import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BytePath } from "../paths/byte-path.ts";
import { outputOf } from "../store/repository.ts";
import type { WorkTree } from "./find-work-tree.ts";
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

/** Asks git for everything at once; an empty list of paths is the whole tree. */
export async function readChanges(tree: WorkTree, paths: readonly BytePath[]): Promise<Changes> {
  const within = ["--", ...pathspecs(paths)];
  const ask = (...args: readonly string[]): Promise<GitResult> => runGit([...args, ...within], { cwd: tree.root });
  const [head, staged, unstaged, untracked] = await Promise.all([
    askHead(tree),
    ask("diff-index", "--cached", "--raw", "-z", "--no-renames", "HEAD"),
    ask("diff-files", "--raw", "-z", "--no-renames", "--ignore-submodules=none"),
    ask("ls-files", "--others", "--exclude-standard", "-z"),
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

async function askHead(tree: WorkTree): Promise<string | null> {
  const head = await runGit(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { cwd: tree.root });
  return head.ok ? head.stdout.toString("latin1").trim() : null;
}

/** The branch that HEAD names; null if it is detached, or kept in a way of its own. */
function branchOf({ gitDir }: WorkTree): string | null {
  try {
    return /^ref: refs\/heads\/(?!\.invalid)(.+)$/m.exec(readFileSync(join(gitDir, "HEAD"), "utf8"))?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Paths as arguments; so many that they would not fit are the whole tree, and the caller picks its own. */
export function pathspecs(paths: readonly BytePath[]): readonly string[] {
  const texts = paths.map((path) => Buffer.from(path, "latin1").toString("utf8"));
  const isArgument = paths.length <= 500 && texts.every((text) => !text.includes("\uFFFD"));
  return isArgument && !paths.includes("") ? texts : [];
}

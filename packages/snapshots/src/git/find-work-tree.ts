import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { lookForWorkTree } from "./look-for-work-tree.ts";
import { runGit } from "./run-git.ts";

/** A work tree and its folders. */
export interface WorkTree {
  readonly root: string;
  /** The folder of this work tree: index, HEAD. */
  readonly gitDir: string;
  /** The folder that all work trees of the repository share. */
  readonly commonDir: string;
}

/** The work tree that a folder lies in, or why there is none. */
export async function findWorkTree(folder: string): Promise<WorkTree | { readonly none: string }> {
  const plain = lookForWorkTree(folder);
  if (plain !== null) return plain;
  const result = await runGit(
    ["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-dir", "--git-common-dir"],
    { cwd: folder },
  );
  if (result.status === "failed") return { none: result.detail };
  const [root, gitDir, commonDir, ...rest] = result.stdout.toString("utf8").trimEnd().split("\n");
  if (root === undefined || gitDir === undefined || commonDir === undefined || rest.length > 0) {
    return { none: "git's answer has folders with line breaks in their names" };
  }
  return { root: realpathSync(root), gitDir, commonDir: realpathSync(commonDir) };
}

/** What is under way in a work tree, by the file that shows it. */
const OPERATIONS = [
  { file: "MERGE_HEAD", name: "merge" },
  { file: "rebase-merge", name: "rebase" },
  { file: "rebase-apply", name: "rebase" },
  { file: "CHERRY_PICK_HEAD", name: "cherry-pick" },
  { file: "REVERT_HEAD", name: "revert" },
  { file: "BISECT_LOG", name: "bisect" },
] as const;

/** The operation under way in a work tree; null for none. */
export function operationIn({ gitDir }: WorkTree): string | null {
  return OPERATIONS.find(({ file }) => existsSync(join(gitDir, file)))?.name ?? null;
}

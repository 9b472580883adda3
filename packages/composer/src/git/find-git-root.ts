import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The root of the work tree that a folder lies in; a worktree or submodule has a `.git` file instead of a folder. */
export function findGitRoot(folder: string): string | null {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if (dirname(current) === current) return null;
  }
}

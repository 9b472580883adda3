import { realpathSync } from "node:fs";
import { findGitRoot, peekRepository } from "@agent-checkpoint/git";

/** The repository that a folder lies in, by its root without links; the folder itself if there is none. */
export function repositoryOf(folder: string): string {
  const root = findGitRoot(folder) ?? folder;
  try {
    return realpathSync(root);
  } catch {
    return root;
  }
}

/** The repository that a folder lies in, the same for all of its work trees: the root of the main one, without links. */
export function mainRepositoryOf(folder: string): string {
  const root = repositoryOf(folder);
  const main = peekRepository(root);
  return main === root ? root : repositoryOf(main);
}

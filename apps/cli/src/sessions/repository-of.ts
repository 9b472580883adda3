import { realpathSync } from "node:fs";
import { findGitRoot } from "@agent-checkpoint/git";

/** The repository that a folder lies in, by its root without links; the folder itself if there is none. */
export function repositoryOf(folder: string): string {
  const root = findGitRoot(folder) ?? folder;
  try {
    return realpathSync(root);
  } catch {
    return root;
  }
}

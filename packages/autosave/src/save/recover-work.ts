import { readWorkTree } from "@agent-checkpoint/git";
import { recover } from "./journal.ts";
import { saveFolder, withSaveLock } from "./save-lock.ts";

const WAIT_MS = 8000;

/** Brings a work tree to the state before a save that was killed, unless its commit was made. */
export async function recoverWork(projectPath: string): Promise<"nothing" | "undone" | "was-committed" | "busy"> {
  const reading = await readWorkTree(projectPath);
  if (!reading.ok) return "nothing";
  const { root, gitDir } = reading.workTree;
  const folder = saveFolder(gitDir);
  const recovered = await withSaveLock(folder, WAIT_MS, () => recover(root, gitDir, folder));
  return recovered.ok ? recovered.value : "busy";
}

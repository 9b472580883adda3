import { realpathSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "../git/run-git.ts";
import { recover } from "./journal.ts";
import { withRepositoryLock } from "./with-repository-lock.ts";

const WAIT_MS = 8000;

/** Brings a work tree to the state before a save that was killed, unless its commit was made. */
export async function recoverWork(projectPath: string): Promise<"nothing" | "undone" | "was-committed" | "busy"> {
  const { exitCode, stdout } = await runGit(["rev-parse", "--show-toplevel", "--absolute-git-dir"], {
    cwd: projectPath,
  });
  const [top, gitDir] = stdout.toString("utf8").split("\n");
  if (exitCode !== 0 || !top || !gitDir) return "nothing";
  const folder = join(gitDir, "agent-checkpoint-direct");
  const recovered = await withRepositoryLock(folder, performance.now() + WAIT_MS, () =>
    recover(realpathSync(top), gitDir, folder),
  );
  return recovered ?? "busy";
}

import { runGit } from "./run-git.ts";
import { names } from "./read-texts.ts";

/** Tells git of new files, so that they can be named in a commit; gives what it said where it would not. */
export async function intendToAdd(root: string, paths: readonly string[]): Promise<string | null> {
  if (paths.length === 0) return null;
  const { exitCode, stderr } = await runGit(
    ["add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"],
    { cwd: root, input: paths.join("\0") },
  );
  return exitCode === 0 ? null : stderr || "git add failed";
}

/** Takes back what `intendToAdd` told of files that did not get into a commit; what somebody has staged since stays. */
export async function takeBackIntent(root: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const { stdout } = await runGit(["status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames"], {
    cwd: root,
  });
  const intended = new Set(
    names(stdout)
      .filter((line) => line.startsWith(" A "))
      .map((line) => line.slice(3)),
  );
  const ours = paths.filter((path) => intended.has(path));
  if (ours.length === 0) return;
  await runGit(["update-index", "--force-remove", "-z", "--stdin"], { cwd: root, input: `${ours.join("\0")}\0` });
}

import { runGit } from "./run-git.ts";

/** The commit that HEAD is at; null without a repository, a commit or git. */
export function readHead(root: string): string | null {
  const { exitCode, output } = runGit(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return exitCode === 0 && isCommit(output) ? output : null;
}

/** Whether a text is the whole name of a commit, and thereby safe to hand to git. */
export function isCommit(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

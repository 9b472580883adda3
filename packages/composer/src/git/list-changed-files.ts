import { findGitRoot } from "./find-git-root.ts";
import { type GitFailure, type GitResult, runGit } from "./run-git.ts";

/** What git says is uncommitted, or why it cannot say. */
export type ChangedFiles =
  | { readonly status: "known"; readonly root: string; readonly files: readonly string[] }
  | { readonly status: "unknown"; readonly reason: "no-repository" | GitFailure; readonly detail: string };

export interface ListOptions {
  /** Whether files that git does not track yet, and does not ignore, count. */
  readonly untracked: boolean;
  readonly timeoutMs: number;
}

/** The uncommitted files of the repository that a folder lies in, staged or not, relative to its root; a rename is two files. */
export async function listChangedFiles(folder: string, { untracked, timeoutMs }: ListOptions): Promise<ChangedFiles> {
  const root = findGitRoot(folder);
  if (root === null) return { status: "unknown", reason: "no-repository", detail: `no repository at ${folder}` };
  const git = (...args: string[]) => runGit(args, root, timeoutMs);
  const [tracked, others] = await Promise.all([
    git("diff", "--name-only", "-z", "--no-renames", "HEAD", "--"),
    untracked ? git("ls-files", "--others", "--exclude-standard", "-z") : NOTHING,
  ]);
  const changed = tracked.status === "ok" ? tracked : await withoutCommits(git, tracked);
  for (const result of [changed, others]) {
    if (result.status === "failed") return { status: "unknown", reason: result.reason, detail: result.detail };
  }
  const files = [changed, others].flatMap((result) => (result.status === "ok" ? namesIn(result.stdout) : []));
  return { status: "known", root, files: [...new Set(files)].toSorted() };
}

const NOTHING: GitResult = { status: "ok", stdout: "" };

/** A repository without commits has no HEAD to compare with: everything in its index is new. */
async function withoutCommits(git: (...args: string[]) => Promise<GitResult>, failed: GitResult): Promise<GitResult> {
  if (failed.status === "failed" && failed.reason !== "git-error") return failed;
  const head = await git("rev-parse", "--verify", "--quiet", "HEAD");
  const isRepository = await git("rev-parse", "--git-dir");
  if (head.status === "ok" || isRepository.status === "failed") return failed;
  return git("ls-files", "--cached", "-z");
}

function namesIn(output: string): readonly string[] {
  return output.split("\0").filter((name) => name !== "");
}

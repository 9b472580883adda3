import { findGitRoot } from "./find-git-root.ts";
import { type GitFailure, runGit } from "./run-git.ts";

/** What git says is uncommitted, or why it cannot say. */
export type ChangedFiles =
  | { readonly status: "known"; readonly root: string; readonly files: readonly string[] }
  | { readonly status: "unknown"; readonly reason: "no-repository" | GitFailure; readonly detail: string };

export interface ListOptions {
  /** Whether files that git does not track yet, and does not ignore, count. */
  readonly untracked: boolean;
  /** How long git may take: 5 seconds unless given. */
  readonly timeoutMs?: number | undefined;
}

/** The uncommitted files of the repository that a folder lies in, staged or not, relative to its root; a rename is two files. */
export async function listChangedFiles(
  folder: string,
  { untracked, timeoutMs = GIT_TIMEOUT_MS }: ListOptions,
): Promise<ChangedFiles> {
  const root = findGitRoot(folder);
  if (root === null) return { status: "unknown", reason: "no-repository", detail: `no repository at ${folder}` };
  // A diff would bring the index up to date for files that were touched and are the same, and lock it meanwhile.
  const listing = ["status", "--porcelain", "-z", "--no-renames", `--untracked-files=${untracked ? "all" : "no"}`];
  const listed = await runGit(listing, root, timeoutMs);
  if (listed.status === "failed") return { status: "unknown", reason: listed.reason, detail: listed.detail };
  return { status: "known", root, files: [...new Set(namesIn(listed.stdout))].toSorted() };
}

const GIT_TIMEOUT_MS = 5000;

/** The names in a listing: each stands behind two letters for its state and a space. */
function namesIn(output: string): readonly string[] {
  return output
    .split("\0")
    .map((entry) => entry.slice(3))
    .filter((name) => name !== "");
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { runGitAsUser, namesIn } from "./run-git.ts";
import type { WorkTree } from "./work-tree.ts";

/** A commit to be made. */
export interface CommitRequest {
  readonly workTree: Pick<WorkTree, "root" | "gitDir">;
  readonly paths: readonly string[];
  /** The paths among them that git does not know yet. */
  readonly added: readonly string[];
  readonly messageFile: string;
  /** The paths in a file, separated by NUL. */
  readonly pathsFile: string;
  /** When to give up, on the process's clock. */
  readonly deadline: number;
  /** Whether a commit may still be made, asked before every attempt but the first. */
  readonly recheck: () => Promise<CommitResult>;
}

/** That there is a commit, or why there is none. */
export type CommitResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: "index-locked" | "head-moved" | "failed"; readonly detail: string };

const MAX_ATTEMPTS = 6;
const INDEX_WAIT_MS = 3000;

/**
 * Commits these paths and nothing else, with hooks and signature; what others have staged stays staged.
 * If there is a lock, or another process moved the branch, it waits and tries again; it never deletes a lock.
 */
export async function commitPaths(request: CommitRequest): Promise<CommitResult> {
  const { workTree, added, deadline, recheck } = request;
  let result: CommitResult = { ok: true };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (attempt > 0) {
      await sleep(Math.min(100 * 2 ** attempt, 1600) * (0.5 + Math.random()));
      result = await recheck();
      if (!result.ok) return result;
    }
    result = await waitForIndex(workTree, deadline);
    if (result.ok) result = await attemptCommit(request);
    if (result.ok) return result;
    await takeBackIntent(workTree.root, added);
    if (result.reason === "failed" || performance.now() >= deadline) return result;
  }
  return result;
}

async function attemptCommit(request: CommitRequest): Promise<CommitResult> {
  const { workTree, added, paths, messageFile, pathsFile, deadline } = request;
  const cwd = workTree.root;
  if (paths.length === 0) return { ok: false, reason: "failed", detail: "nothing to commit" };
  const intent = await intendToAdd(cwd, added);
  if (!intent.ok) return intent;
  const result = await runGitAsUser(
    [
      "commit",
      "--quiet",
      "--only",
      "--cleanup=whitespace",
      `--file=${messageFile}`,
      `--pathspec-from-file=${pathsFile}`,
      "--pathspec-file-nul",
    ],
    // The repository's hooks may refresh the index.
    { cwd, timeoutMs: Math.max(1000, deadline - performance.now()), env: { GIT_OPTIONAL_LOCKS: "1" } },
  );
  if (result.ok) return { ok: true };
  if (result.reason === "timeout")
    return { ok: false, reason: "failed", detail: "git commit, or a hook of it, did not end in time" };
  return refusal(result.detail);
}

/** Git's messages if another process is working in the repository; the first row that matches counts. */
const REFUSALS = [
  { shape: /cannot lock ref .*(?:is at \w+ but expected|reference already exists)/s, reason: "head-moved" },
  { shape: /index\.lock|Unable to create '.*\.lock'|could not lock|cannot lock ref/i, reason: "index-locked" },
] as const;

function refusal(detail: string): CommitResult {
  return { ok: false, reason: REFUSALS.find(({ shape }) => shape.test(detail))?.reason ?? "failed", detail };
}

/** Waits until no process holds the index. */
export async function waitForIndex({ gitDir }: Pick<WorkTree, "gitDir">, deadline: number): Promise<CommitResult> {
  const lock = join(gitDir, "index.lock");
  const until = Math.min(deadline, performance.now() + INDEX_WAIT_MS);
  for (let pause = 20; existsSync(lock); pause = Math.min(pause * 2, 400)) {
    if (performance.now() >= until)
      return {
        ok: false,
        reason: "index-locked",
        detail: `${lock} is held by another process, or was left behind by one`,
      };
    await sleep(pause);
  }
  return { ok: true };
}

/** Adds new files to the index as intent, so that they can be named in a commit. */
async function intendToAdd(root: string, paths: readonly string[]): Promise<CommitResult> {
  if (paths.length === 0) return { ok: true };
  const args = ["add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"];
  const result = await runGitAsUser(args, { cwd: root, input: paths.join("\0") });
  return result.ok ? result : refusal(result.detail);
}

/** Removes that intent for files that did not get into a commit; what others have staged since stays. */
export async function takeBackIntent(root: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const listing = ["status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames"];
  const result = await runGitAsUser(listing, { cwd: root });
  const lines = result.ok ? namesIn(result.stdout) : [];
  const intended = new Set(lines.filter((line) => line.startsWith(" A ")).map((line) => line.slice(3)));
  const ours = paths.filter((path) => intended.has(path));
  if (ours.length === 0) return;
  await runGitAsUser(["update-index", "--force-remove", "-z", "--stdin"], { cwd: root, input: `${ours.join("\0")}\0` });
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { intendToAdd, takeBackIntent } from "./intent-to-add.ts";
import type { Repository } from "./read-repository.ts";
import { runGit } from "./run-git.ts";

/** A commit to be made. */
export interface CommitRequest {
  readonly repository: Repository;
  readonly paths: readonly string[];
  /** Those of the paths that git does not know yet. */
  readonly added: readonly string[];
  readonly messageFile: string;
  readonly pathsFile: string;
  /** When to give up, on the process's clock. */
  readonly deadline: number;
  /** Whether a commit may still be made, asked before every attempt but the first. */
  readonly recheck: () => Promise<CommitFault | null>;
}

/** Why there is no commit. */
export interface CommitFault {
  readonly kind: "index_locked" | "head_moved" | "failed";
  readonly detail: string;
}

/**
 * Commits these paths and nothing else, with hooks and signature; what others have staged stays staged.
 * A lock or a branch that somebody has moved is waited for and tried again; a lock is never deleted.
 */
export async function commitPaths(request: CommitRequest): Promise<CommitFault | null> {
  const { repository, added, deadline, recheck } = request;
  let fault: CommitFault | null = null;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    if (attempt > 0) {
      await sleep(Math.min(100 * 2 ** attempt, 1600) * (0.5 + Math.random()));
      fault = await recheck();
      if (fault !== null) return fault;
    }
    fault = (await waitForIndex(repository, deadline)) ?? (await attemptCommit(request));
    if (fault === null) return null;
    await takeBackIntent(repository.root, added);
    if (fault.kind === "failed" || performance.now() >= deadline) return fault;
  }
  return fault;
}

const MOST_ATTEMPTS = 6;

async function attemptCommit({
  repository,
  added,
  paths,
  messageFile,
  pathsFile,
  deadline,
}: CommitRequest): Promise<CommitFault | null> {
  const cwd = repository.root;
  const told = await intendToAdd(cwd, added);
  if (told !== null) return { kind: kindOf(told), detail: told };
  if (paths.length === 0) return { kind: "failed", detail: "nothing to commit" };
  const { exitCode, stdout, stderr, isLate } = await runGit(
    [
      "commit",
      "--quiet",
      "--only",
      "--cleanup=whitespace",
      `--file=${messageFile}`,
      `--pathspec-from-file=${pathsFile}`,
      "--pathspec-file-nul",
    ],
    // Hooks of the repository's may want to refresh the index.
    { cwd, timeoutMs: Math.max(1000, deadline - performance.now()), env: { GIT_OPTIONAL_LOCKS: "1" } },
  );
  if (exitCode === 0) return null;
  if (isLate) return { kind: "failed", detail: "git commit, or a hook of it, did not end in time" };
  const said = stderr || stdout.toString("utf8").trim() || `git commit ended with ${exitCode}`;
  return { kind: kindOf(said), detail: said };
}

/** What git says where somebody else is at work in the repository. */
const KINDS: readonly { readonly shape: RegExp; readonly kind: CommitFault["kind"] }[] = [
  { shape: /cannot lock ref .*(?:is at \w+ but expected|reference already exists)/s, kind: "head_moved" },
  { shape: /index\.lock|Unable to create '.*\.lock'|could not lock|cannot lock ref/i, kind: "index_locked" },
];

function kindOf(said: string): CommitFault["kind"] {
  return KINDS.find(({ shape }) => shape.test(said))?.kind ?? "failed";
}

/** Waits until nobody holds the index. */
export async function waitForIndex(
  { gitDir }: Pick<Repository, "gitDir">,
  deadline: number,
): Promise<CommitFault | null> {
  const lock = join(gitDir, "index.lock");
  const until = Math.min(deadline, performance.now() + INDEX_WAIT_MS);
  for (let pause = 20; existsSync(lock); pause = Math.min(pause * 2, 400)) {
    if (performance.now() >= until)
      return { kind: "index_locked", detail: `${lock} is held by another process, or was left behind by one` };
    await sleep(pause);
  }
  return null;
}

const INDEX_WAIT_MS = 3000;

import { mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { matchesAny } from "@agent-checkpoint/categories";
import { type LockResult, withLock } from "@agent-checkpoint/files";
import { operationIn, readHead, readWorkTree, runGitAsUser } from "@agent-checkpoint/git";

/** A work tree that something can be committed in. */
export interface Repository {
  readonly root: string;
  /** This work tree's own folder in the repository. */
  readonly gitDir: string;
  readonly branch: string;
  /** The commit that the branch is at; null before the first. */
  readonly head: string | null;
}

/** Why nothing is committed. */
export type Refusal =
  | "not-a-repository"
  | "parent-repository"
  | "detached-head"
  | "merge"
  | "rebase"
  | "cherry-pick"
  | "revert"
  | "bisect"
  | "conflicts"
  | "protected-branch"
  | "index-locked"
  | "head-moved"
  | "status-document"
  | "mixed-files"
  | "secrets";

type RepositoryReading =
  | { readonly ok: true; readonly repository: Repository }
  | {
      readonly ok: false;
      readonly refusal: Refusal;
      readonly detail: string;
      /** The branch, as far as it was found out. */
      readonly branch: string | null;
      readonly head: string | null;
    };

interface RepositoryRules {
  readonly protectedBranches: readonly string[];
}

/** Finds out whether something can be committed in a project's folder, or why it must not be. */
export async function readRepository(
  projectPath: string,
  { protectedBranches }: RepositoryRules,
): Promise<RepositoryReading> {
  const reading = await readWorkTree(projectPath);
  if (!reading.ok) return refused("not-a-repository", reading.detail);
  const { root, gitDir } = reading.workTree;
  if (root !== realpathSync(projectPath))
    return refused(
      "parent-repository",
      `the repository is ${root}, and the project ${projectPath} only a folder in it`,
    );
  const operation = operationIn({ gitDir });
  if (operation !== null) return refused(operation.name, `${operation.file} is in ${gitDir}`);
  const reference = await runGitAsUser(["symbolic-ref", "--quiet", "HEAD"], { cwd: root });
  if (!reference.ok) return refused("detached-head", "HEAD is at a commit, not on a branch");
  const branch = reference.stdout
    .toString("utf8")
    .trim()
    .replace(/^refs\/heads\//, "");
  const place = { branch, head: await readHead(root) };
  if (matchesAny(branch, protectedBranches))
    return refused(
      "protected-branch",
      `${branch} is protected; \`checkpoint save --allow-protected\` commits to it`,
      place,
    );
  const unmerged = await runGitAsUser(["ls-files", "--unmerged", "-z"], { cwd: root });
  if (!unmerged.ok) return refused("not-a-repository", unmerged.detail);
  if (unmerged.stdout.length > 0) return refused("conflicts", "files with conflicts are waiting to be resolved", place);
  return { ok: true, repository: { root, gitDir, ...place } };
}

function refused(refusal: Refusal, detail: string, place = { branch: null, head: null } as Place): RepositoryReading {
  return { ok: false, refusal, detail, ...place };
}

interface Place {
  readonly branch: string | null;
  readonly head: string | null;
}

/** A file's bytes on disk; null if it does not exist or is not a file. */
export function readLive(root: string, path: string): Buffer | null {
  try {
    return readFileSync(join(root, path));
  } catch {
    return null;
  }
}

/** After this time, a lock from another machine is stale; a save takes seconds. */
const STALE_AFTER_MS = 10 * 60_000;

/** Where a work tree's saves keep their lock, journal and drafts. */
export function saveFolder(gitDir: string): string {
  return join(gitDir, "agent-checkpoint-direct");
}

/** Does the work while no other save is at work in the same work tree. */
export function withSaveLock<Value>(
  folder: string,
  waitMs: number,
  work: () => Promise<Value>,
): Promise<LockResult<Value>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return withLock(join(folder, "lock"), { waitMs, staleAfterMs: STALE_AFTER_MS }, work);
}

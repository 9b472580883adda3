import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { matchesAny } from "@agent-checkpoint/categories";
import { runGit } from "./run-git.ts";

/** A work tree that something can be committed in. */
export interface Repository {
  readonly root: string;
  /** This work tree's own folder in the repository. */
  readonly gitDir: string;
  readonly branch: string;
  /** The commit that the branch is at; null before the first. */
  readonly head: string | null;
}

/** Why nothing is committed, in snake_case. */
export type Refusal =
  | "not_a_repository"
  | "parent_repository"
  | "detached_head"
  | "merge"
  | "rebase"
  | "cherry_pick"
  | "revert"
  | "bisect"
  | "conflicts"
  | "protected_branch"
  | "index_locked"
  | "head_moved"
  | "status_document"
  | "mixed_files"
  | "secrets";

export type RepositoryReading =
  | { readonly ok: true; readonly repository: Repository }
  | { readonly ok: false; readonly refusal: Refusal; readonly detail: string };

export interface RepositoryRules {
  readonly protectedBranches: readonly string[];
}

/** What in a work tree's folder shows that something is under way. */
const UNDER_WAY: readonly { readonly file: string; readonly refusal: Refusal }[] = [
  { file: "MERGE_HEAD", refusal: "merge" },
  { file: "rebase-merge", refusal: "rebase" },
  { file: "rebase-apply", refusal: "rebase" },
  { file: "CHERRY_PICK_HEAD", refusal: "cherry_pick" },
  { file: "REVERT_HEAD", refusal: "revert" },
  { file: "sequencer", refusal: "cherry_pick" },
  { file: "BISECT_LOG", refusal: "bisect" },
];

/** Finds out whether something can be committed in a project's folder, or why it must not be. */
export async function readRepository(
  projectPath: string,
  { protectedBranches }: RepositoryRules,
): Promise<RepositoryReading> {
  const places = await runGit(["rev-parse", "--show-toplevel", "--absolute-git-dir"], { cwd: projectPath });
  const [top, gitDir] = places.stdout.toString("utf8").split("\n");
  if (places.exitCode !== 0 || !top || !gitDir) return refused("not_a_repository", places.stderr);
  const root = realpathSync(top);
  if (root !== realpathSync(projectPath))
    return refused(
      "parent_repository",
      `the repository is ${root}, and the project ${projectPath} only a folder in it`,
    );
  const found = UNDER_WAY.find(({ file }) => existsSync(join(gitDir, file)));
  if (found !== undefined) return refused(found.refusal, `${found.file} is in ${gitDir}`);
  const reference = await runGit(["symbolic-ref", "--quiet", "HEAD"], { cwd: root });
  if (reference.exitCode !== 0) return refused("detached_head", "HEAD is at a commit, not on a branch");
  const branch = reference.stdout
    .toString("utf8")
    .trim()
    .replace(/^refs\/heads\//, "");
  if (matchesAny(branch, protectedBranches)) return refused("protected_branch", branch);
  const unmerged = await runGit(["ls-files", "--unmerged", "-z"], { cwd: root });
  if (unmerged.exitCode !== 0) return refused("not_a_repository", unmerged.stderr);
  if (unmerged.stdout.length > 0) return refused("conflicts", "files with conflicts are waiting to be resolved");
  return { ok: true, repository: { root, gitDir, branch, head: await readHead(root) } };
}

/** The commit that HEAD is at; null before the first. */
export async function readHead(cwd: string): Promise<string | null> {
  const { exitCode, stdout } = await runGit(["rev-parse", "--quiet", "--verify", "HEAD^{commit}"], { cwd });
  return exitCode === 0 ? stdout.toString("utf8").trim() : null;
}

function refused(refusal: Refusal, detail: string): RepositoryReading {
  return { ok: false, refusal, detail };
}

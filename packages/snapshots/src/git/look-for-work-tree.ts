import { lstatSync, readFileSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import type { WorkTree } from "./find-work-tree.ts";

/**
 * The work tree that a folder lies in, found without starting git; null wherever git might see it differently.
 * Only the plain case is seen: a `.git` folder of this user's, with a store of ours from an earlier time and a config
 * that moves nothing. Linked work trees, submodules, bare repositories and extensions are for git to tell.
 */
export function lookForWorkTree(folder: string): WorkTree | null {
  const start = lookAt(folder);
  for (let root = folder; ; root = dirname(root)) {
    const gitDir = join(root, ".git");
    const found = lookAt(gitDir);
    if (found !== null) return isPlain(root, gitDir) ? { root, gitDir, commonDir: gitDir } : null;
    // A folder with a HEAD may be a repository itself, and git looks no further than a file system reaches.
    if (root === dirname(root) || lookAt(join(root, "HEAD")) !== null || lookAt(root)?.dev !== start?.dev) return null;
  }
}

function isPlain(root: string, gitDir: string): boolean {
  const isOwn = [root, gitDir].every((path) => {
    const found = lookAt(path);
    return found?.isDirectory() === true && found.uid === process.geteuid?.();
  });
  const folders = ["objects", "refs", "agent-checkpoint"].map((name) => lookAt(join(gitDir, name)));
  if (!isOwn || !folders.every((found) => found?.isDirectory() === true)) return false;
  if (lookAt(join(gitDir, "commondir")) !== null || !HEAD.test(read(join(gitDir, "HEAD")))) return false;
  const config = read(join(gitDir, "config"));
  return VERSION.test(config) && !MOVING.test(config);
}

const HEAD = /^(?:ref: refs\/|[0-9a-f]{40})/;
const VERSION = /^\s*repositoryformatversion\s*=\s*0\s*$/m;
/** What could make the work tree another one, or a repository that only newer versions of git understand. */
const MOVING = /worktree|extensions|\bbare\b(?!\s*=\s*false\s*$)/im;

function lookAt(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

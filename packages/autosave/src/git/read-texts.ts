import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "./run-git.ts";

/** A file's text in a commit or the index, with line endings and filters as on disk; null where it is not there. */
export async function readCommitted(root: string, revision: string, path: string): Promise<Buffer | null> {
  const { exitCode, stdout } = await runGit(["cat-file", "--filters", `${revision}:${path}`], { cwd: root });
  return exitCode === 0 ? stdout : null;
}

/** A file's bytes on disk; null where it is gone or is none. */
export function readLive(root: string, path: string): Buffer | null {
  try {
    return readFileSync(join(root, path));
  } catch {
    return null;
  }
}

/** The names that a git command lists, each ended by NUL. */
export async function listNames(args: readonly string[], root: string): Promise<ReadonlySet<string>> {
  const { exitCode, stdout } = await runGit(args, { cwd: root });
  return new Set(exitCode === 0 ? names(stdout) : []);
}

export function names(output: Buffer): readonly string[] {
  return output
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "");
}

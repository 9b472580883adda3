import { namesIn, runGitAsUser } from "./run-git.ts";

/** A commit and its contents. */
export interface FoundCommit {
  readonly id: string;
  /** What it changed. */
  readonly paths: readonly string[];
  /** The ids of its files; a file that it removed has none. */
  readonly blobs: ReadonlyMap<string, string>;
}

const MAX_COMMITS = 50;

/** The commit whose trailer has this value, among the last of the branch; null if there is none. */
export async function findCommitByTrailer(root: string, key: string, value: string): Promise<FoundCommit | null> {
  const format = `--format=%H %(trailers:key=${key},valueonly,separator=%x2C)`;
  const log = await runGitAsUser(["log", `--max-count=${MAX_COMMITS}`, format, "HEAD"], { cwd: root });
  if (!log.ok) return null;
  const lines = log.stdout.toString("utf8").split("\n");
  const line = lines.find((each) => {
    const values = each.slice(each.indexOf(" ") + 1).split(",");
    return values.includes(value);
  });
  const id = line?.slice(0, line.indexOf(" "));
  if (id === undefined) return null;
  const diff = await runGitAsUser(
    ["diff-tree", "--root", "--no-commit-id", "--raw", "--no-abbrev", "--no-renames", "-r", "-z", id],
    { cwd: root },
  );
  const parts = diff.ok ? namesIn(diff.stdout) : [];
  const paths: string[] = [];
  const blobs = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, , , blob = "", status] = (parts[at] ?? "").split(" ");
    const path = parts[at + 1] ?? "";
    paths.push(path);
    if (status !== "D") blobs.set(path, blob);
  }
  return { id, paths, blobs };
}

/** The ids that files on disk would have in a commit, filters applied. */
export async function hashFiles(root: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const plain = paths.filter((path) => !path.includes("\n"));
  if (plain.length === 0) return new Map();
  const result = await runGitAsUser(["hash-object", "--stdin-paths"], { cwd: root, input: `${plain.join("\n")}\n` });
  if (!result.ok) return new Map();
  const ids = result.stdout.toString("utf8").trim().split("\n");
  return new Map(plain.map((path, index) => [path, ids[index] ?? ""]));
}

/** A file's bytes in a commit or the index, with line endings and filters as on disk; null if it is not there. */
export async function readCommitted(root: string, revision: string, path: string): Promise<Buffer | null> {
  const args = ["cat-file", "--filters", `${revision}:${path}`];
  const result = await runGitAsUser(args, { cwd: root, maxBytes: Infinity });
  return result.ok ? result.stdout : null;
}

/** The names that a git command lists; none if it fails. */
export async function listNames(args: readonly string[], root: string): Promise<ReadonlySet<string>> {
  const result = await runGitAsUser(args, { cwd: root });
  return new Set(result.ok ? namesIn(result.stdout) : []);
}

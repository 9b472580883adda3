import { runGit } from "./run-git.ts";
import { names } from "./read-texts.ts";

/** A commit of ours, by what is in it. */
export interface FoundCommit {
  readonly id: string;
  /** What it changed. */
  readonly paths: readonly string[];
  /** Its files by their ids; a file that it removed has none. */
  readonly blobs: ReadonlyMap<string, string>;
}

const LOOK_BACK = 50;

/** The commit that carries an id of ours, among the branch's last; null where there is none. */
export async function findCommit(root: string, checkpointId: string): Promise<FoundCommit | null> {
  const { exitCode, stdout } = await runGit(
    ["log", `--max-count=${LOOK_BACK}`, "--format=%H %(trailers:key=Checkpoint-Id,valueonly,separator=%x2C)", "HEAD"],
    { cwd: root },
  );
  if (exitCode !== 0) return null;
  const line = stdout
    .toString("utf8")
    .split("\n")
    .find((row) =>
      row
        .slice(row.indexOf(" ") + 1)
        .split(",")
        .includes(checkpointId),
    );
  const id = line?.slice(0, line.indexOf(" "));
  if (id === undefined) return null;
  const diff = await runGit(
    ["diff-tree", "--root", "--no-commit-id", "--raw", "--no-abbrev", "--no-renames", "-r", "-z", id],
    { cwd: root },
  );
  const parts = names(diff.stdout);
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
  const { exitCode, stdout } = await runGit(["hash-object", "--stdin-paths"], {
    cwd: root,
    input: `${plain.join("\n")}\n`,
  });
  const ids = stdout.toString("utf8").trim().split("\n");
  return exitCode === 0 ? new Map(plain.map((path, index) => [path, ids[index] ?? ""])) : new Map();
}

import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { runTestGit } from "./workspace.ts";

/** The object of a snapshot in a store that holds its manifest, its entries, or the contents of a file. */
export function objectOf(store: string, id: string, what: "manifest" | "entries" | { readonly file: string }): string {
  const ref = `refs/snapshots/${id}`;
  const path = typeof what === "string" ? ".checkpoints/entries" : what.file;
  return runTestGit(store, [
    "--git-dir",
    repositoryOf(store),
    "rev-parse",
    what === "manifest" ? ref : `${ref}:${path}`,
  ]).trim();
}

/** Damages an object, and gives what mends it. */
export function damage(store: string, oid: string): () => void {
  explode(repositoryOf(store));
  const path = join(repositoryOf(store), "objects", oid.slice(0, 2), oid.slice(2));
  const whole = readFileSync(path);
  const torn = Buffer.from(whole);
  torn[torn.length - 2] = (torn.at(-2) ?? 0) ^ 1;
  chmodSync(path, 0o600);
  writeFileSync(path, torn);
  return () => writeFileSync(path, whole);
}

/** All objects in the repository below a folder, as texts. */
export function allContents(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const repository = names.find((name) => name.endsWith("snapshots.git")) ?? "";
  const git = (...args: string[]): string => runTestGit(folder, ["--git-dir", join(folder, repository), ...args]);
  const objects = git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
    .trim()
    .split("\n");
  return objects.map((line) => {
    const [oid = "", type = ""] = line.split(" ");
    return git("cat-file", type === "tree" ? "-p" : type, oid);
  });
}

function repositoryOf(store: string): string {
  return join(store, "snapshots.git");
}

/** Gives every object a file of its own. */
function explode(repository: string): void {
  const packs = join(repository, "objects", "pack");
  const aside = mkdtempSync(join(repository, "aside-"));
  for (const name of readdirSync(packs)) renameSync(join(packs, name), join(aside, name));
  for (const name of readdirSync(aside).filter((file) => file.endsWith(".pack")))
    execFileSync("git", ["--git-dir", repository, "unpack-objects", "-q"], { input: readFileSync(join(aside, name)) });
  rmSync(aside, { recursive: true });
}

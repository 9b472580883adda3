import { type FileTree, hasFile, pathIn } from "../file-tree.ts";
import { isOwnFolder } from "../walk-files.ts";

const MOST_MEMBERS = 200;
const PLAIN_PATH = /^[\w@.-][\w@./-]*$/;

/** The folders that a workspace's patterns name (`packages/*`, `apps/web`) and that have a manifest. */
export function expandMembers(tree: FileTree, patterns: readonly string[], manifest: string): readonly string[] {
  const folders = patterns
    .filter((pattern) => !pattern.startsWith("!") && !pattern.split("/").includes(".."))
    .flatMap((pattern) => expand(tree, pattern.replace(/^\.\//, "").replace(/\/$/, "").split("/")));
  return [...new Set(folders)]
    .filter((folder) => folder !== "." && PLAIN_PATH.test(folder) && hasFile(tree, pathIn(folder, manifest)))
    .slice(0, MOST_MEMBERS);
}

/** A star stands for one folder, two for one or two. */
function expand(tree: FileTree, [first, ...rest]: readonly string[], at = "."): readonly string[] {
  if (first === undefined) return [at];
  const inner = (): readonly string[] =>
    tree
      .list(at)
      .filter((name) => name.endsWith("/") && isOwnFolder(name.slice(0, -1)))
      .map((name) => pathIn(at, name.slice(0, -1)));
  if (first === "**") {
    const one = inner();
    const two = one.flatMap((folder) => expand(tree, ["*"], folder));
    return [...one, ...two].flatMap((folder) => expand(tree, rest, folder));
  }
  if (!first.includes("*")) return expand(tree, rest, pathIn(at, first));
  const name = new RegExp(`^${first.replaceAll(/[.+^${}()|[\]\\?]/g, String.raw`\$&`).replaceAll("*", ".*")}$`);
  return inner()
    .filter((folder) => name.test(folder.slice(folder.lastIndexOf("/") + 1)))
    .flatMap((folder) => expand(tree, rest, folder));
}

import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadParsers, type Parsers } from "./parsers.ts";

/** The tracked files of a repository, with their text where it is asked for. */
export interface Tree {
  readonly files: readonly string[];
  has(path: string): boolean;
  hasFolder(path: string): boolean;
  /** The paths of all files of a name, those nearest to the root first, without what others wrote. */
  named(name: string | RegExp): readonly string[];
  /** The text of a tracked file; null if there is none, or if it is large. */
  read(path: string): string | null;
  /** The value of a JSON, YAML or TOML file; null if it cannot be parsed. */
  data(path: string): unknown;
}

/** Folders that hold what others wrote, or what a build made. */
const FOREIGN =
  /(?:^|\/)(?:node_modules|bower_components|vendor|vendored|third[-_]?party|external|extern|dist|site-packages|Pods|\.yarn|\.git)\//;

const MAX_BYTES = 512 * 1024;

/** Whether a file is the repository's own. */
export function isOwn(path: string): boolean {
  return !FOREIGN.test(path);
}

/** Whether a folder holds samples or test data, which have no tests of the project's own. */
export function isSample(folder: string): boolean {
  return /(?:^|\/)(?:tests?|specs?|e2e|examples?|samples?|fixtures?|__fixtures__|testdata|test-data|templates?|playgrounds?|demos?|benchmarks?|bench|dummy|docs?)(?:\/|$)/.test(
    folder,
  );
}

/** The tree of these files under a folder. */
export async function openTree(root: string, files: readonly string[]): Promise<Tree> {
  const all = new Set(files);
  const byName = indexByName(files);
  const names = [...byName.keys()];
  const folders = foldersOf(files);
  const texts = new Map<string, string | null>();
  const values = new Map<string, unknown>();
  const parsers: Parsers = await loadParsers(names);
  const read = (path: string) => remember(texts, path, () => (all.has(path) ? readText(join(root, path)) : null));
  return {
    files,
    has: (path) => all.has(path),
    hasFolder: (path) => folders.has(path),
    named: (name) =>
      typeof name === "string"
        ? (byName.get(name) ?? [])
        : sortByDepth(names.filter((base) => name.test(base)).flatMap((base) => byName.get(base) ?? [])),
    read,
    data: (path) => remember(values, path, () => parsers.parse(path, read(path) ?? "")),
  };
}

/** The folder of a path; empty for the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

/** A path below a folder. */
export function pathIn(folder: string, path: string): string {
  return folder === "" ? path : `${folder}/${path}`;
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether a path is that folder or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

function indexByName(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  for (const file of files) {
    if (!isOwn(file)) continue;
    const name = nameOf(file);
    const paths = index.get(name);
    if (paths === undefined) index.set(name, [file]);
    else paths.push(file);
  }
  for (const [name, paths] of index) if (paths.length > 1) index.set(name, sortByDepth(paths));
  return index;
}

function sortByDepth(paths: string[]): string[] {
  return paths
    .map((path) => ({ path, depth: path.split("/").length }))
    .sort((one, other) => one.depth - other.depth || (one.path < other.path ? -1 : 1))
    .map(({ path }) => path);
}

function foldersOf(files: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const file of files) {
    for (let folder = folderOf(file); folder !== "" && !folders.has(folder); folder = folderOf(folder))
      folders.add(folder);
  }
  return folders;
}

function remember<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  if (!known.has(key)) known.set(key, make());
  return known.get(key) as Value;
}

/** A tracked link may point anywhere, so links are not read. */
function readText(path: string): string | null {
  try {
    const stats = lstatSync(path);
    return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}

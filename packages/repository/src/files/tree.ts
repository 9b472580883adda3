import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadParsers, type Parsers } from "./parsers.ts";

/** The tracked files of a repository, with their text where it is asked for. */
export interface Tree {
  readonly files: readonly string[];
  has(path: string): boolean;
  hasFolder(path: string): boolean;
  /**
   * The paths of all files of a name, those nearest to the root first, without what others wrote.
   * Several names have spaces between them, and a star stands for anything: `go.mod *.sln`.
   */
  named(names: string | RegExp): readonly string[];
  /** The text of a tracked file; null if there is none, or if it is large. */
  read(path: string): string | null;
  /** The value of a JSON, YAML or TOML file; null if it cannot be parsed. */
  data(path: string): unknown;
}

/** Folders that hold what others wrote, or what a build made. */
const FOREIGN =
  /(?:^|\/)(?:node_modules|bower_components|vendor|vendored|third[-_]?party|external|extern|dist|site-packages|Pods|\.yarn|\.git)\//;

/** Copies of libraries, except in Erlang, where the applications of a project may stand there. */
const DEPS = /(?:^|\/)deps\//;

const MAX_BYTES = 512 * 1024;

/** Whether a folder holds samples or test data, which have no tests of the project's own. */
export function isSample(folder: string): boolean {
  return /(?:^|\/)(?:tests?|test[ _-]?(?:cases?|data|suite)|specs?|e2e|examples?|samples?|fixtures?|__fixtures__|templates?|playgrounds?|demos?|benchmarks?|bench|dummy|docs?)(?:\/|$)/i.test(
    folder,
  );
}

/** The tree of these files under a folder, as far as they are the repository's own; `onRead` is called before a file is looked at. */
export async function openTree(
  root: string,
  tracked: readonly string[],
  onRead: (path: string) => void = () => undefined,
): Promise<Tree> {
  const isErlang = tracked.includes("erlang.mk") || tracked.includes("rebar.config");
  const files = tracked.filter((path) => !FOREIGN.test(path) && (isErlang || !DEPS.test(path)));
  const byName = indexByName(files);
  const names = [...byName.keys()];
  const folders = foldersOf(files);
  const texts = new Map<string, string | null>();
  const values = new Map<string, unknown>();
  const parsers: Parsers = await loadParsers(names);
  const has = (path: string) => pathsOf(byName.get(nameOf(path))).includes(path);
  const readTracked = (path: string) => {
    onRead(path);
    return readText(join(root, path));
  };
  const read = (path: string) => remember(texts, path, () => (has(path) ? readTracked(path) : null));
  return {
    files,
    has,
    hasFolder: (path) => folders.has(path),
    named: (wanted) => {
      const name = typeof wanted === "string" ? namesIn(wanted) : wanted;
      return sortByDepth(
        typeof name === "string"
          ? pathsOf(byName.get(name))
          : names.filter((base) => name.test(base)).flatMap((base) => byName.get(base) ?? []),
      );
    },
    read,
    data: (path) => remember(values, path, () => parsers.parse(path, read(path) ?? "")),
  };
}

function namesIn(list: string): string | RegExp {
  if (!/[ *]/.test(list)) return list;
  const names = list.split(" ").map((name) => name.replaceAll(".", String.raw`\.`).replace("*", ".+"));
  return new RegExp(`^(?:${names.join("|")})$`);
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

/** Paths by name; most names stand for one path, which is not put into a list. */
type NameIndex = ReadonlyMap<string, string | readonly string[]>;

function indexByName(files: readonly string[]): NameIndex {
  const index = new Map<string, string | string[]>();
  for (const file of files) {
    const name = nameOf(file);
    const before = index.get(name);
    if (before === undefined) index.set(name, file);
    else if (typeof before === "string") index.set(name, [before, file]);
    else before.push(file);
  }
  return index;
}

function pathsOf(paths: string | readonly string[] | undefined): readonly string[] {
  return typeof paths === "string" ? [paths] : (paths ?? []);
}

function sortByDepth(paths: readonly string[]): readonly string[] {
  if (paths.length < 2) return paths;
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

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The files of a repository, as far as a detector may look at them. */
export interface FileTree {
  /** The names in a folder, sorted, a folder's with a slash at its end; none where there is no such folder. */
  readonly list: (folder: string) => readonly string[];
  /** The text of a file; null where there is none that could be read. */
  readonly read: (path: string) => string | null;
}

const MOST_BYTES = 512 * 1024;

/** The tree under a folder on disk; each folder and file is read once, links to folders are not followed. */
export function folderTree(root: string): FileTree {
  const folders = new Map<string, readonly string[]>();
  const files = new Map<string, string | null>();
  return {
    list: (folder) => remember(folders, folder, () => listFolder(join(root, folder))),
    read: (path) => remember(files, path, () => readText(join(root, path))),
  };
}

/** The tree that begins at a folder of another one. */
export function subTree(tree: FileTree, folder: string): FileTree {
  if (folder === ".") return tree;
  return {
    list: (inner) => tree.list(pathIn(folder, inner)),
    read: (path) => tree.read(pathIn(folder, path)),
  };
}

/** A path below a folder; `.` is the root itself. */
export function pathIn(folder: string, path: string): string {
  if (folder === ".") return path;
  return path === "." ? folder : `${folder}/${path}`;
}

/** Whether the tree has a file of this path. */
export function hasFile(tree: FileTree, path: string): boolean {
  const slash = path.lastIndexOf("/");
  return tree.list(slash === -1 ? "." : path.slice(0, slash)).includes(path.slice(slash + 1));
}

/** Whether the tree has a folder of this path with something in it. */
export function hasFolder(tree: FileTree, path: string): boolean {
  return tree.list(path).length > 0;
}

/** The first of these files that the tree has. */
export function firstFile(tree: FileTree, paths: readonly string[]): string | null {
  return paths.find((path) => hasFile(tree, path)) ?? null;
}

function remember<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const value = known.get(key);
  if (value !== undefined) return value;
  const made = make();
  known.set(key, made);
  return made;
}

function listFolder(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort();
  } catch {
    return [];
  }
}

function readText(path: string): string | null {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MOST_BYTES ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}

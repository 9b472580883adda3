import { type FileTree, pathIn } from "./file-tree.ts";

/** Folders that hold what others wrote, or what a build made. */
const FOREIGN: ReadonlySet<string> = new Set([
  "node_modules",
  "bower_components",
  "vendor",
  "third_party",
  "target",
  "dist",
  "build",
  "out",
  "coverage",
  "venv",
  "env",
  "site-packages",
  "__pycache__",
  "Pods",
  "tmp",
  "log",
]);

const MOST_FOLDERS = 250;
const DEEPEST = 10;

/** The files of a tree, those near the root first; gives up quietly in a large one. */
export function* walkFiles(tree: FileTree, start = "."): Generator<string> {
  const folders = [{ folder: start, depth: 0 }];
  for (const [index, { folder, depth }] of folders.entries()) {
    if (index >= MOST_FOLDERS) return;
    for (const name of tree.list(folder)) {
      if (!name.endsWith("/")) yield pathIn(folder, name);
      else if (depth < DEEPEST && isOwnFolder(name.slice(0, -1)))
        folders.push({ folder: pathIn(folder, name.slice(0, -1)), depth: depth + 1 });
    }
  }
}

/** Whether a folder's name is that of a folder in which people write. */
export function isOwnFolder(name: string): boolean {
  return !name.startsWith(".") && !FOREIGN.has(name);
}

/** Whether one of the tree's files has a path like this. */
export function someFile(tree: FileTree, path: RegExp, start = "."): boolean {
  for (const file of walkFiles(tree, start)) if (path.test(file)) return true;
  return false;
}

/** The first files with a path like this. */
export function firstFiles(tree: FileTree, path: RegExp, most: number, start = "."): readonly string[] {
  const found: string[] = [];
  for (const file of walkFiles(tree, start)) {
    if (found.length >= most) break;
    if (path.test(file)) found.push(file);
  }
  return found;
}

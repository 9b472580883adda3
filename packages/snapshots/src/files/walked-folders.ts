import { type Dirent, readdirSync } from "node:fs";
import type { WorkTree } from "../git/find-work-tree.ts";
import { parseNames } from "../git/raw-diff.ts";
import { runGit } from "../git/run-git.ts";
import { type BytePath, diskPath, parentOf } from "../paths/byte-path.ts";

/** Where git looks for untracked files: a file can only appear where one of these folders changes. */
export interface WalkedFolders {
  readonly folders: readonly BytePath[];
  /** The `.gitignore` files that decide, there or above, whether or not they are there. */
  readonly rules: readonly BytePath[];
}

/**
 * The folders that git walks through below some areas: those with a listed path in them, and all others that are not
 * ignored, empty ones included. Null where one of them cannot be read, or git cannot tell which are ignored.
 */
export async function walkedFolders(
  tree: WorkTree,
  areas: readonly BytePath[],
  { listed, avoid }: { readonly listed: readonly BytePath[]; readonly avoid: ReadonlySet<BytePath> },
): Promise<WalkedFolders | null> {
  const folders: BytePath[] = [];
  const rules = new Set(areas.flatMap((area) => [...upTo(area)]).map((folder) => within(folder, ".gitignore")));
  const held = parentsOf(listed);
  let others: readonly BytePath[] = areas;
  while (others.length > 0) {
    const unknown: BytePath[] = [];
    const pending = [...others];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const children = childrenOf(tree.root, folder);
      if (children === null) return null;
      folders.push(folder);
      for (const child of children) {
        const path = within(folder, child.name);
        // What is behind a link may change without the link.
        if (child.name === ".gitignore" && child.isSymbolicLink()) return null;
        if (child.name === ".gitignore") rules.add(path);
        if (!child.isDirectory() || child.name === ".git" || avoid.has(path)) continue;
        (held.has(path) ? pending : unknown).push(path);
      }
    }
    const ignored = await ignoredOf(tree, unknown);
    if (ignored === null) return null;
    others = unknown.filter((path) => !ignored.has(path));
  }
  return { folders, rules: [...rules] };
}

function childrenOf(root: string, folder: BytePath): readonly Dirent[] | null {
  try {
    return readdirSync(diskPath(root, folder), { withFileTypes: true, encoding: "latin1" });
  } catch {
    return null;
  }
}

/** A folder and those it lies in, up to the root. */
function* upTo(folder: BytePath): Generator<BytePath> {
  for (let at = folder; at !== ""; at = parentOf(at)) yield at;
  yield "";
}

/** Every folder on the way to some paths. */
function parentsOf(paths: readonly BytePath[]): ReadonlySet<BytePath> {
  const folders = new Set<BytePath>();
  for (const path of paths)
    for (let folder = parentOf(path); folder !== "" && !folders.has(folder); folder = parentOf(folder))
      folders.add(folder);
  return folders;
}

function within(folder: BytePath, name: BytePath): BytePath {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Those of some folders that git ignores. */
async function ignoredOf(tree: WorkTree, folders: readonly BytePath[]): Promise<ReadonlySet<BytePath> | null> {
  if (folders.length === 0) return new Set();
  // This command takes no names literally; none that begins with a dot and a slash is taken for something else.
  const input = [Buffer.from(folders.map((path) => `${HERE}${path}\0`).join(""), "latin1")];
  const options = { cwd: tree.root, input, isNothingOk: true, isLiteral: false };
  const result = await runGit(["check-ignore", "-z", "--stdin"], options);
  return result.status === "ok" ? new Set(parseNames(result.stdout).map((path) => path.slice(HERE.length))) : null;
}

const HERE = "./";

import type { Change, Look } from "../kinds/kind.ts";
import { absentAt, type Entry, isSameState } from "../manifest/entry.ts";
import { type BytePath, isWithin, nameOf, parentOf } from "../paths/byte-path.ts";

/** What a restore would do. */
export interface RestorePlan {
  readonly changes: readonly Change[];
  /** What has appeared since and stays. */
  readonly kept: readonly Entry[];
  /** Folders with something in them, in the place of a file: nothing is done while they are there. */
  readonly inTheWay: readonly BytePath[];
}

/** Plans a restore: only captured paths change, and files added since are removed only on request. */
export function planRestore(
  entries: readonly Entry[],
  { now, appeared }: Look,
  {
    removeNew,
    isInArea = () => true,
  }: { readonly removeNew: boolean; readonly isInArea?: (path: BytePath) => boolean },
): RestorePlan {
  const changes: Change[] = [];
  const inTheWay: BytePath[] = [];
  const removed = removeNew ? appeared : [];
  for (const [index, to] of entries.entries()) {
    const from = now[index] ?? absentAt(to.path);
    if (isSameState(from, to)) continue;
    const isReplaced = from.type === "directory" && to.type !== "directory";
    const inside = isReplaced ? appeared.filter(({ path }) => path !== to.path && isWithin(path, to.path)) : [];
    if (isReplaced && inside.length > 0 && (!removeNew || inside.some(({ path }) => nameOf(path) === ".git"))) {
      // An absence whose place has become a folder with new files: they are what is kept.
      if (to.type !== "absent") inTheWay.push(to.path);
      continue;
    }
    changes.push({ from, to });
  }
  const held = new Set(entries.map(({ path }) => path));
  const gone = removed.map((from) => ({ from, to: absentAt(from.path) }));
  const emptied = emptiedFolders(removed, held).filter((path) => isInArea(path));
  return {
    changes: [...changes, ...gone, ...emptied.map((path) => ({ from: folderAt(path), to: absentAt(path) }))],
    kept: removeNew ? [] : appeared.filter(({ type }) => type !== "directory"),
    inTheWay,
  };
}

/** The folders that only what has appeared was in, as far as one can tell: they go if they are empty then. */
function emptiedFolders(removed: readonly Entry[], held: ReadonlySet<BytePath>): readonly BytePath[] {
  const parents = new Set([...held].flatMap((path) => ancestors(path)));
  const gone = new Set(removed.map(({ path }) => path));
  const folders = new Set(removed.flatMap(({ path }) => ancestors(path)));
  return [...folders].filter((path) => !held.has(path) && !parents.has(path) && !gone.has(path));
}

function ancestors(path: BytePath): readonly BytePath[] {
  const found: BytePath[] = [];
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) found.push(folder);
  return found;
}

function folderAt(path: BytePath): Entry {
  return { path, type: "directory", mode: 0, size: 0, oid: null };
}

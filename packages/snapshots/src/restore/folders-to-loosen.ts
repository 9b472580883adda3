import { createLooker } from "../files/look-at.ts";
import type { Change } from "../kinds/kind.ts";
import type { Entry } from "../manifest/entry.ts";
import { parentOf } from "../paths/byte-path.ts";

/** Folders that must be opened for a moment, and get their permissions back: each a change to what it is. */
export function foldersToLoosen(changes: readonly Change[], root: string): readonly Change[] {
  const { look, isFolder } = createLooker(root);
  const changed = new Set(changes.map(({ to }) => to.path));
  return [...new Set(changes.map(({ to }) => parentOf(to.path)))].flatMap((path) => {
    const stats = path !== "" && !changed.has(path) && isFolder(path) ? look(path) : null;
    if (stats === null || (stats.mode & 0o300n) === 0o300n) return [];
    const entry: Entry = { path, type: "directory", mode: Number(stats.mode & 0o7777n), size: 0, oid: null };
    return [{ from: entry, to: entry }];
  });
}

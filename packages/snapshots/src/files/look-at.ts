import { type BigIntStats, lstatSync } from "node:fs";
import { errorCode } from "../error-code.ts";
import { type BytePath, diskPath, parentOf } from "../paths/byte-path.ts";

/** Looks at paths below a root without following links, neither at the end nor on the way. */
export interface Looker {
  /** What is at a path; null where nothing is, or where the way leads through something that is no folder. */
  readonly look: (path: BytePath) => BigIntStats | null;
  /** Whether a folder is reached through real folders only. */
  readonly isFolder: (folder: BytePath) => boolean;
}

/** A looker that remembers the folders it has seen. */
export function createLooker(root: string): Looker {
  const folders = new Map<BytePath, boolean>([["", true]]);
  const at = (path: BytePath): BigIntStats | null => {
    try {
      return lstatSync(diskPath(root, path), { bigint: true, throwIfNoEntry: false }) ?? null;
    } catch (error) {
      if (["ENOTDIR", "ELOOP"].includes(errorCode(error) ?? "")) return null;
      throw error;
    }
  };
  const isFolder = (folder: BytePath): boolean => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const is = isFolder(parentOf(folder)) && at(folder)?.isDirectory() === true;
    folders.set(folder, is);
    return is;
  };
  const look = (path: BytePath): BigIntStats | null => {
    if (!isFolder(parentOf(path))) return null;
    const stats = at(path);
    if (stats?.isDirectory() === true) folders.set(path, true);
    return stats;
  };
  return { look, isFolder };
}

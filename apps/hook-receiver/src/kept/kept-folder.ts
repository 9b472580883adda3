import { lstatSync, mkdirSync, readdirSync, rmSync, type Stats, statSync } from "node:fs";
import { join, sep } from "node:path";

/** Where a home keeps what is made again and again; null where somebody else could put something there, or there is no home yet. */
export function keptFolder(home: string): string | null {
  const folder = `${home}${sep}compile-cache`;
  try {
    // What lies there is run: a folder for all, or a link, is no place for it.
    if (!isOnlyOurs(statSync(home))) return null;
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) mkdirSync(folder, { mode: 0o700 });
    return stats === undefined || isOnlyOurs(stats) ? folder : null;
  } catch {
    // No home yet, or one that cannot be written to: everything is compiled anew.
    return null;
  }
}

/** Removes what another Node or another version of the program has left there long ago. */
export function removeOld(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (lstatSync(path).mtimeMs < now - KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}

const KEPT_MS = 60 * 24 * 60 * 60 * 1000;

function isOnlyOurs(stats: Stats): boolean {
  const isOwn = process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0);
  return stats.isDirectory() && isOwn;
}

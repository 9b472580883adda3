import { lstatSync, mkdirSync, type Stats, statSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";

/**
 * Has Node keep what it compiles from here on, in our own folder, and take it from there the next time.
 * Called where more is about to be loaded: for the first file alone, looking it up takes as long as compiling.
 */
export function useCompileCache(home: string): void {
  const folder = join(home, "compile-cache");
  try {
    // A home that is not there yet is made by whoever keeps something in it.
    if (!isOnlyOurs(statSync(home))) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isOnlyOurs(lstatSync(folder))) enableCompileCache(folder);
  } catch {
    // No home, or one that cannot be written to: everything is compiled anew.
  }
}

/** What lies in the cache is run, so nobody else may put anything there: in a folder for all, say, or through a link. */
function isOnlyOurs(stats: Stats): boolean {
  const isOwn = process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0);
  return stats.isDirectory() && isOwn;
}

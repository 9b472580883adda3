import { lstatSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";

/** A short mark of a file's state that differs once the file has changed. */
export function fileSignature(root: string, file: string): string {
  const stats = statsOf(join(root, file));
  return stats === null ? "absent" : `${stats.size}:${stats.mtimeMs}`;
}

/** Whether a file changed after a moment; of a file that is gone its folder tells. */
export function changedAfter(root: string, file: string, moment: Date): boolean {
  for (let path = join(root, file); ; path = dirname(path)) {
    const stats = statsOf(path);
    if (stats !== null) return stats.ctimeMs > moment.getTime();
    if (dirname(path) === path) return true;
  }
}

function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** The text of a file of ours; null where there is none, where it is longer than this, or where something else lies there. */
export function readShort(path: string, mostBytes: number): string | null {
  try {
    // A link is not followed out of the home, and a pipe is not waited for.
    const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile() || stats.size > mostBytes) return null;
      const bytes = Buffer.allocUnsafe(stats.size);
      return bytes.toString("utf8", 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

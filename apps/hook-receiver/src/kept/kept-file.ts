import { constants, readFileSync } from "node:fs";
import { writeWhole } from "@agent-checkpoint/files";

/** What was made of a source, and the uses of the program that it was made for. */
export interface Kept {
  readonly made: Buffer;
  readonly uses: readonly string[];
}

/**
 * What is kept in a file for a source; null where there is nothing, or nothing that can be trusted.
 *
 * V8 looks at little more than the length of a source before it runs what it is given, and a damaged byte brings the
 * process down. So a file holds the source as well, and what was made of it twice: comparing takes no time worth mentioning.
 */
export function readKept(path: string, source: Buffer): Kept | null {
  try {
    const file = readFileSync(path, { flag: PLAIN });
    const start = file.indexOf("\n") + 1;
    const uses = JSON.parse(file.toString("utf8", 0, start)) as readonly string[];
    const middle = start + source.length;
    const half = (file.length - middle) / 2;
    const made = file.subarray(middle, middle + half);
    const isWhole =
      half > 0 && source.equals(file.subarray(start, middle)) && made.equals(file.subarray(middle + half));
    return isWhole ? { made, uses } : null;
  } catch {
    return null;
  }
}

/** A link is not followed, and a pipe is not waited for. Windows knows neither flag, and an undefined one counts as none. */
const PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Keeps what was made of a source; it appears under its name whole or not at all. */
export function writeKept(path: string, source: Buffer, { made, uses }: Kept): void {
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(uses)}\n`), source, made, made]);
  writeWhole(path, content, { isFlushed: false });
}

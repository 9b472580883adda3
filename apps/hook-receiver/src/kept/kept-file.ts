import { constants, readFileSync, renameSync, writeFileSync } from "node:fs";

/** What V8 made of a source, and the uses of the program that it was made for. */
export interface KeptCode {
  readonly code: Buffer;
  readonly uses: readonly string[];
}

/**
 * The code that is kept in a file for a source; null where there is none, or none that can be trusted.
 *
 * V8 looks at little more than the length of a source before it runs what it is given, and a damaged byte brings the
 * process down. So a file holds the source as well, and the code twice: comparing takes no time worth mentioning.
 */
export function readCode(path: string, source: Buffer): KeptCode | null {
  try {
    const file = readFileSync(path, { flag: PLAIN });
    const start = file.indexOf("\n") + 1;
    const uses = JSON.parse(file.toString("utf8", 0, start)) as readonly string[];
    const middle = start + source.length;
    const half = (file.length - middle) / 2;
    const code = file.subarray(middle, middle + half);
    const isWhole =
      half > 0 && source.equals(file.subarray(start, middle)) && code.equals(file.subarray(middle + half));
    return isWhole ? { code, uses } : null;
  } catch {
    return null;
  }
}

/** A link is not followed, and a pipe is not waited for. Windows knows neither flag, and an undefined one counts as none. */
const PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Keeps code for a source; it appears under its name whole or not at all. */
export function writeCode(path: string, source: Buffer, { code, uses }: KeptCode): void {
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, Buffer.concat([Buffer.from(`${JSON.stringify(uses)}\n`), source, code, code]), { mode: 0o600 });
  renameSync(draft, path);
}

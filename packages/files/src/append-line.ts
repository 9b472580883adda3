import { closeSync, constants, fstatSync, openSync, statSync, writeSync } from "node:fs";

/** The file right after the line was written. */
export interface Appended {
  readonly size: number;
  /** Whether the file still had its name; otherwise another process has moved it aside in the meantime. */
  readonly isInPlace: boolean;
}

const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
/**
 * A link is not followed, and a pipe without a reader is an error instead of a wait.
 * Windows knows neither flag, and an undefined one counts as none.
 */
const FLAGS = O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK;

/** Adds text to the end of a file in one write, so that lines of concurrent processes never mix. */
export function appendLine(path: string, text: string): Appended {
  const file = openSync(path, FLAGS, 0o600);
  try {
    if (!fstatSync(file).isFile()) throw systemError("EINVAL", `${path} is not a regular file`);
    const bytes = Buffer.from(text);
    if (writeSync(file, bytes) < bytes.length) throw systemError("ENOSPC", `${path} could not take a whole line`);
    const written = fstatSync(file, { bigint: true });
    const named = statSync(path, { bigint: true, throwIfNoEntry: false });
    return { size: Number(written.size), isInPlace: named?.ino === written.ino && named.dev === written.dev };
  } finally {
    closeSync(file);
  }
}

function systemError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

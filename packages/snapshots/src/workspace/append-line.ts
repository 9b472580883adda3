import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Adds a line to a file in one write; a link or a pipe in its place is left alone. */
export function appendLine(path: string, line: string): void {
  const file = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    if (fstatSync(file).isFile()) writeSync(file, `${line}\n`);
  } finally {
    closeSync(file);
  }
}

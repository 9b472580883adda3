import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** What the log says of the last day. */
export interface LogFaults {
  readonly count: number;
  /** The latest one; null if there is none. */
  readonly latest: { readonly at: Date; readonly text: string } | null;
}

const TAIL_BYTES = 256 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;
const FAULT = /^(\S+) (?:warn|error) (.+)$/;

/** The faults of the last 24 hours in a log, as far as its end tells; null if there is no log. */
export function readLogFaults(path: string, now: Date): LogFaults | null {
  const tail = readTail(path);
  if (tail === null) return null;
  const faults = tail.split("\n").flatMap((line) => {
    const [, time = "", text = ""] = FAULT.exec(line) ?? [];
    const at = new Date(time);
    return now.getTime() - at.getTime() < DAY_MS ? [{ at, text }] : [];
  });
  return { count: faults.length, latest: faults.at(-1) ?? null };
}

function readTail(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8");
  } finally {
    closeSync(file);
  }
}

import type { OpenFile } from "./open-regular-file.ts";
import { readBlock } from "./read-block.ts";
import { READ_LIMIT } from "./read-entries-backwards.ts";
import type { Line } from "./read-lines-backwards.ts";

/** How much is read at a time, and how long a line may be, in bytes. */
export interface ForwardsOptions {
  readonly block?: number | undefined;
  readonly longest?: number | undefined;
}

const BLOCK = 1024 * 1024;

/**
 * Gives the lines of a file from its start to its end, a block at a time.
 *
 * Empty lines are left out, and so are lines that are larger than what is ever read of a turn.
 */
export function* readLinesForwards(
  file: OpenFile,
  { block = BLOCK, longest = READ_LIMIT }: ForwardsOptions = {},
): Generator<Line, void, undefined> {
  // The beginning of a line whose end lies in a block not yet read, in file order.
  let head: Buffer[] = [];
  let headLength = 0;
  let start = 0;
  for (let at = 0; at < file.size; at += block) {
    const bytes = readBlock(file, at, Math.min(at + block, file.size));
    let from = 0;
    for (let newline = bytes.indexOf(NEWLINE); newline !== -1; newline = bytes.indexOf(NEWLINE, from)) {
      const line = completeLine(start, head, bytes.subarray(from, newline), headLength > longest);
      if (line !== null) yield line;
      head = [];
      headLength = 0;
      from = newline + 1;
      start = at + from;
    }
    headLength += bytes.length - from;
    if (headLength > longest) head = [];
    else if (from < bytes.length) head.push(bytes.subarray(from));
  }
  const last = completeLine(start, head, Buffer.alloc(0), headLength > longest);
  if (last !== null) yield last;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

const completeLine = (offset: number, head: readonly Buffer[], rest: Buffer, isTooLong: boolean): Line | null => {
  if (isTooLong) return null;
  const whole = head.length === 0 ? rest : Buffer.concat([...head, rest]);
  const bytes = whole.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole;
  return bytes.length === 0 ? null : { offset, bytes };
};

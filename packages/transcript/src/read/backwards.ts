import { type OpenFile, readBlock } from "./files.ts";
import { type JsonObject, parseObject } from "./json.ts";

/** One line of a file, without its line ending. */
export interface Line {
  /** Where the line starts, in bytes from the start of the file. */
  readonly offset: number;
  readonly bytes: Buffer;
}

/** Which part of the file to read, in bytes; lines that start in it are given. */
export interface LineRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Whether the line at `from` may have begun before it; then its offset is given, and none of its bytes. */
  readonly isCut?: boolean | undefined;
}

/** The first block holds most turns whole; each further one is twice as large, up to the limit. */
export const FIRST_BLOCK: number = 128 * 1024;
/** How much is read first if only the last lines matter. */
export const LAST_LINES: number = 32 * 1024;
const MAX_BLOCK = 4 * 1024 * 1024;

/**
 * Yields the lines of a file from its end to its start, reading only as much as is asked for.
 *
 * Empty lines are left out. A line may be larger than any block.
 */
export function* readLinesBackwards(
  file: OpenFile,
  { from = 0, to = file.size, isCut = false }: LineRange = {},
  firstBlock: number = file.firstBlock ?? FIRST_BLOCK,
): Generator<Line, void, undefined> {
  let end = Math.min(to, file.size);
  let blockSize = firstBlock;
  // The rest of a line whose start lies in a block not yet read, in file order.
  let rest: Buffer[] = [];
  while (end > from) {
    const start = Math.max(from, end - blockSize);
    const block = readBlock(file, start, end);
    let lineEnd = block.length;
    for (let newline = lastNewline(block, lineEnd); newline !== -1; newline = lastNewline(block, lineEnd)) {
      const line = completeLine(start + newline + 1, block.subarray(newline + 1, lineEnd), rest);
      rest = [];
      if (line !== null) yield line;
      lineEnd = newline;
    }
    rest.unshift(block.subarray(0, lineEnd));
    end = start;
    blockSize = Math.min(blockSize * 2, MAX_BLOCK);
  }
  const first = isCut ? { offset: from, bytes: NO_BYTES } : completeLine(from, NO_BYTES, rest);
  if (first !== null) yield first;
}

const NO_BYTES: Buffer = Buffer.alloc(0);
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

function lastNewline(block: Buffer, end: number): number {
  return end === 0 ? -1 : block.lastIndexOf(NEWLINE, end - 1);
}

function completeLine(offset: number, head: Buffer, rest: readonly Buffer[]): Line | null {
  const whole = rest.length === 0 ? head : Buffer.concat([head, ...rest]);
  const bytes = whole.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole;
  return bytes.length === 0 ? null : { offset, bytes };
}

/** One line of a transcript as JSON. */
export interface Entry {
  readonly offset: number;
  readonly value: JsonObject;
}

/** Counts of a reading of entries. */
export interface Tally {
  /** Lines that were torn or no JSON object. */
  skippedLines: number;
  /** Whether the reading gave up before the start of the range: no turn is that long. */
  isCutShort: boolean;
}

/** Four times the longest turn in 740 sessions is 16 MB; beyond this the answer would come too late to be of use. */
export const READ_LIMIT: number = 64 * 1024 * 1024;

/** An empty tally. */
export function newTally(): Tally {
  return { skippedLines: 0, isCutShort: false };
}

/** Yields the entries of a file from its end to its start, and counts the lines that are not entries. */
export function* readEntriesBackwards(
  file: OpenFile,
  tally: Tally,
  range: LineRange = {},
): Generator<Entry, void, undefined> {
  const lowest = Math.min(range.to ?? file.size, file.size) - READ_LIMIT;
  const isCut = lowest > (range.from ?? 0);
  const from = isCut ? lowest : range.from;
  for (const { offset, bytes } of readLinesBackwards(file, { ...range, from, isCut })) {
    if (isCut && offset === lowest) {
      tally.isCutShort = true;
      return;
    }
    const value = parseObject(decodeLine(offset, bytes));
    if (value === null) tally.skippedLines += 1;
    else yield { offset, value };
  }
}

/** The first line without a byte order mark, any other as it is. */
export function decodeLine(offset: number, bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return offset === 0 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

const BYTE_ORDER_MARK = "\uFEFF";

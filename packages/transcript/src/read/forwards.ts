import { decodeLine, type Entry, type Line, READ_LIMIT } from "./backwards.ts";
import { type OpenFile, readBlock } from "./files.ts";
import { parseObject } from "./json.ts";

/** How much is read at a time, and how long a line may be, in bytes. */
export interface ForwardsOptions {
  readonly block?: number | undefined;
  readonly longest?: number | undefined;
}

const BLOCK = 1024 * 1024;

/**
 * Yields the lines of a file from its start to its end, a block at a time.
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

function completeLine(offset: number, head: readonly Buffer[], rest: Buffer, isTooLong: boolean): Line | null {
  if (isTooLong) return null;
  const whole = head.length === 0 ? rest : Buffer.concat([...head, rest]);
  const bytes = whole.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole;
  return bytes.length === 0 ? null : { offset, bytes };
}

/**
 * Yields, from start to end, the entries of a file whose lines mention one of these texts as a JSON string.
 *
 * Most of a transcript is work, which a search for prompts need not parse: within a string every quote is
 * escaped, so the quoted text can only stand there as a string of its own.
 */
export function* readEntriesForwards(file: OpenFile, mentions: readonly string[]): Generator<Entry, void, undefined> {
  const wanted = mentions.map((text) => Buffer.from(JSON.stringify(text)));
  for (const { offset, bytes } of readLinesForwards(file)) {
    if (!wanted.some((text) => bytes.includes(text))) continue;
    const value = parseObject(decodeLine(offset, bytes));
    if (value !== null) yield { offset, value };
  }
}

/** Instructions and snapshots in the first lines can be long. */
const HEAD = 2 * 1024 * 1024;
const HEAD_BLOCK = 64 * 1024;

/** Yields the first entries of a file, as many as it takes to recognise it. */
export function* readHead(file: OpenFile): Generator<Entry, void, undefined> {
  const head = { ...file, size: Math.min(file.size, HEAD) };
  for (const { offset, bytes } of readLinesForwards(head, { block: HEAD_BLOCK })) {
    const value = parseObject(decodeLine(offset, bytes));
    if (value !== null) yield { offset, value };
  }
}

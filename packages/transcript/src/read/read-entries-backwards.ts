import { type JsonObject, parseObject } from "./json.ts";
import type { OpenFile } from "./open-regular-file.ts";
import { type LineRange, readLinesBackwards } from "./read-lines-backwards.ts";

/** One line of a transcript as JSON. */
export interface Entry {
  readonly offset: number;
  readonly value: JsonObject;
}

/** What the reading of entries has met so far. */
export interface Tally {
  /** Lines that were torn or no JSON object. */
  skippedLines: number;
  /** The reading was given up before the start of the range: no turn is that long. */
  isCutShort: boolean;
}

/** Four times the longest turn in 740 sessions is 16 MB; beyond this the answer would come too late to be of use. */
export const READ_LIMIT: number = 64 * 1024 * 1024;

/** A tally of nothing yet. */
export const newTally = (): Tally => ({ skippedLines: 0, isCutShort: false });

/** Gives the entries of a file from its end to its start and counts the lines that are none. */
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
export const decodeLine = (offset: number, bytes: Buffer): string => {
  const text = bytes.toString("utf8");
  return offset === 0 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
};

const BYTE_ORDER_MARK = "\uFEFF";

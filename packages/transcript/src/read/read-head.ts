import { parseObject } from "./json.ts";
import type { OpenFile } from "./open-regular-file.ts";
import { type Entry, decodeLine } from "./read-entries-backwards.ts";
import { readLinesForwards } from "./read-lines-forwards.ts";

/** Instructions and snapshots in the first lines can be long. */
const HEAD = 2 * 1024 * 1024;
const BLOCK = 64 * 1024;

/** Gives the first entries of a file, as far as one looks to tell what it is. */
export function* readHead(file: OpenFile): Generator<Entry, void, undefined> {
  const head = { ...file, size: Math.min(file.size, HEAD) };
  for (const { offset, bytes } of readLinesForwards(head, { block: BLOCK })) {
    const value = parseObject(decodeLine(offset, bytes));
    if (value !== null) yield { offset, value };
  }
}

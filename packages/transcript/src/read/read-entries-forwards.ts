import { parseObject } from "./json.ts";
import type { OpenFile } from "./open-regular-file.ts";
import { type Entry, decodeLine } from "./read-entries-backwards.ts";
import { readLinesForwards } from "./read-lines-forwards.ts";

/**
 * Gives the entries of a file from its start to its end whose lines mention one of these texts as a JSON string.
 *
 * Most of a transcript is work, which somebody who looks for prompts need not parse: within a string every quote is
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

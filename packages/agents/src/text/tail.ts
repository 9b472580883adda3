import type { Node } from "jsonc-parser";

/** What stands between a child and what comes after it. */
export interface Tail {
  /** Where the comma ends; null where there is none. */
  readonly commaEnd: number | null;
  /** Where the child's line ends with its comma and its comments, without the white space after them. */
  readonly lineEnd: number;
  readonly hasComment: boolean;
}

/** Reads the commas, comments and white space from one offset to another. */
export function readTail(text: string, from: number, to: number): Tail {
  const parts = [...text.slice(from, to).matchAll(PART)];
  const comma = parts.find(([part]) => part === ",");
  const commaEnd = comma === undefined ? null : from + comma.index + 1;
  let lineEnd = commaEnd ?? from;
  for (const { 0: part, index } of parts) {
    if (from + index < lineEnd) continue;
    if (/^[\r\n]/.test(part)) break;
    if (isComment(part)) lineEnd = from + index + part.length;
  }
  return { commaEnd, lineEnd, hasComment: parts.some(([part]) => isComment(part)) };
}

/** Where a node ends. */
export function endOf({ offset, length }: Node): number {
  return offset + length;
}

const PART = /\/\/[^\r\n]*|\/\*[^]*?\*\/|,|[\r\n]|[^\S\r\n]+/g;

function isComment(part: string): boolean {
  return part.startsWith("/");
}

import { type OpenFile, readBlock } from "@agent-checkpoint/transcript/reading";

/** How far a growing file was read: an unfinished line is remembered by where it starts, not by its bytes. */
export interface LineCursor {
  /** Where the first line starts that has not been given yet. */
  lineStart: number;
  /** Up to where no further line end was found. */
  scannedTo: number;
}

/** Larger than any line that could matter: a message of a human is at most a million characters. */
export const LONGEST_LINE: number = 32 * 1024 * 1024;

const BLOCK: number = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Gives the lines that were finished since a cursor stopped, and moves it on.
 *
 * No byte is looked at more than twice, however small the pieces are in which a line is written. Lines beyond the
 * limit are passed over.
 */
export function* readNewLines(
  file: OpenFile,
  cursor: LineCursor,
  blockSize: number = BLOCK,
): Generator<Buffer, void, undefined> {
  while (cursor.scannedTo < file.size) {
    const start = cursor.scannedTo;
    const block = readBlock(file, start, Math.min(start + blockSize, file.size));
    if (block.length === 0) return;
    for (let end = block.indexOf(NEWLINE); end !== -1; end = block.indexOf(NEWLINE, end + 1)) {
      const { lineStart } = cursor;
      cursor.lineStart = start + end + 1;
      if (start + end - lineStart > LONGEST_LINE) continue;
      yield lineStart >= start ? block.subarray(lineStart - start, end) : readBlock(file, lineStart, start + end);
    }
    cursor.scannedTo = start + block.length;
  }
}

/** Where the line starts that holds the last byte before `end`; `end` itself where that byte ends a line. */
export const startOfLine = (file: OpenFile, end: number, blockSize: number = BLOCK): number => {
  for (let blockEnd = end; blockEnd > 0; blockEnd -= blockSize) {
    const start = Math.max(0, blockEnd - blockSize);
    const newline = readBlock(file, start, blockEnd).lastIndexOf(NEWLINE);
    if (newline !== -1) return start + newline + 1;
  }
  return 0;
};

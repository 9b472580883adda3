import { readSync } from "node:fs";
import type { OpenFile } from "./open-regular-file.ts";

/** Reads the bytes from `start` up to `end`, fewer where the file has become shorter since it was opened. */
export const readBlock = ({ fd }: OpenFile, start: number, end: number): Buffer => {
  const block = Buffer.allocUnsafe(Math.max(0, end - start));
  let filled = 0;
  while (filled < block.length) {
    const count = readSync(fd, block, filled, block.length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return block.subarray(0, filled);
};

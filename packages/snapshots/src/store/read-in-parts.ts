import { closeSync, openSync, readSync } from "node:fs";

/** Hands a file on part by part, each in the room of the one before; all but the last are `PART_BYTES` long. */
export function readInParts(path: string, take: (part: Buffer) => void): void {
  const file = openSync(path, "r");
  try {
    for (let length = fill(file); length > 0; length = fill(file)) take(ROOM.subarray(0, length));
  } finally {
    closeSync(file);
  }
}

/** A multiple of the 48 bytes of a row in the index of a pack. */
const PART_BYTES = 2048 * 48;
/** Taken once and for all: fresh room for a file of a megabyte would cost more than to read it. */
const ROOM = Buffer.allocUnsafeSlow(PART_BYTES);

/** Reads until the room is full or the file ends: the system may give less than it was asked for. */
function fill(file: number): number {
  let length = 0;
  while (length < ROOM.length) {
    const read = readSync(file, ROOM, length, ROOM.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return length;
}

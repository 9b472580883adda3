import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

/** The hash and the size of a file of any length. */
export function digestFile(path: string): { readonly sha256: string; readonly size: number } {
  const file = openSync(path, "r");
  try {
    const digest = createHash("sha256");
    const chunk = Buffer.allocUnsafe(CHUNK);
    let size = 0;
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
      digest.update(chunk.subarray(0, length));
      size += length;
    }
    return { sha256: digest.digest("hex"), size };
  } finally {
    closeSync(file);
  }
}

const CHUNK = 1024 * 1024;

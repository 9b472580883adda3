import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The id that git gives to a file of any length, and its size. */
export function digestFile(path: string): { readonly oid: string; readonly size: number } {
  const file = openSync(path, "r");
  try {
    const digest = createHash("sha1").update(`blob ${fstatSync(file).size}\0`);
    const chunk = Buffer.allocUnsafe(CHUNK);
    let size = 0;
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
      digest.update(chunk.subarray(0, length));
      size += length;
    }
    return { oid: digest.digest("hex"), size };
  } finally {
    closeSync(file);
  }
}

const CHUNK = 1024 * 1024;

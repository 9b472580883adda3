import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { errorCode } from "../error-code.ts";
import { signatureOf } from "./signature.ts";

/** A file as it was read, proven not to have changed meanwhile. */
export interface StableRead<T> {
  readonly value: T;
  readonly stats: BigIntStats;
}

/** Why a file could not be read: it is gone, it is something else now, it kept changing, or it may not be read. */
export type Unread = "gone" | "changing" | "unreadable";

/**
 * Reads a file while making sure that it stays the same: looked at before and after, a few times over.
 * A link at its place is not followed, and a pipe is not waited for.
 */
export function readStable<T>(path: string | Buffer, read: (file: number, size: number) => T): StableRead<T> | Unread {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    let file: number;
    try {
      file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return "gone";
      if (code === "EACCES" || code === "EPERM") return "unreadable";
      throw error;
    }
    try {
      const before = fstatSync(file, { bigint: true });
      if (!before.isFile()) return "gone";
      const value = read(file, Number(before.size));
      const after = fstatSync(file, { bigint: true });
      if (signatureOf(before) === signatureOf(after)) return { value, stats: after };
    } finally {
      closeSync(file);
    }
  }
  return "changing";
}

/** The whole of an open file. */
export function readWhole(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let done = 0;
  while (done < size) {
    const length = readSync(file, bytes, done, size - done, done);
    if (length === 0) break;
    done += length;
  }
  return bytes.subarray(0, done);
}

/** The target of a link, as bytes. */
export function readLink(path: string | Buffer): StableRead<Buffer> | Unread {
  try {
    const value = readlinkSync(path, { encoding: "buffer" });
    return { value, stats: lstatSync(path, { bigint: true }) };
  } catch {
    return "gone";
  }
}

const ATTEMPTS = 3;

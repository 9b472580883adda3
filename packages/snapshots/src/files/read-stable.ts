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
import { errorCode } from "@agent-checkpoint/files";
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
    const file = openPlain(path);
    if (typeof file === "string") return file;
    try {
      const before = fstatSync(file, { bigint: true });
      if (!before.isFile()) return "gone";
      const value = read(file, Number(before.size));
      const stats = sameAs(before, file);
      if (stats !== null) return { value, stats };
    } finally {
      closeSync(file);
    }
  }
  return "changing";
}

/** The same for a file that is read in parts. */
export async function readStableParts<T>(
  path: string | Buffer,
  read: (file: number, size: number) => Promise<T>,
): Promise<StableRead<T> | Unread> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const file = openPlain(path);
    if (typeof file === "string") return file;
    try {
      const before = fstatSync(file, { bigint: true });
      if (!before.isFile()) return "gone";
      const value = await read(file, Number(before.size));
      const stats = sameAs(before, file);
      if (stats !== null) return { value, stats };
    } finally {
      closeSync(file);
    }
  }
  return "changing";
}

function openPlain(path: string | Buffer): number | Unread {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return "gone";
    if (code === "EACCES" || code === "EPERM") return "unreadable";
    throw error;
  }
}

function sameAs(before: BigIntStats, file: number): BigIntStats | null {
  const after = fstatSync(file, { bigint: true });
  return signatureOf(before) === signatureOf(after) ? after : null;
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

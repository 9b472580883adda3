import { createHash } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  readlinkSync,
} from "node:fs";
import { type Entry, absentAt } from "../manifest/entry.ts";
import { type BytePath, diskPath, encodePath, parentOf } from "../paths/byte-path.ts";
import { blobId } from "../store/contents.ts";
import { SafetyError } from "../trouble.ts";
import { errorCode } from "@agent-checkpoint/files";

/** The state of a path now, with the hash of its contents. */
export function entryAt(root: string, path: BytePath, look: Looker["look"]): Entry {
  const stats = look(path);
  return stats === null ? absentAt(path) : entryOf(diskPath(root, path), path, stats);
}

/** The state of what was looked at. */
export function entryOf(at: string | Buffer, path: BytePath, stats: BigIntStats): Entry {
  const mode = Number(stats.mode & 0o7777n);
  if (stats.isDirectory()) return { path, type: "directory", mode, size: 0, oid: null };
  if (stats.isSymbolicLink()) {
    const link = readLink(at);
    return typeof link === "string"
      ? absentAt(path)
      : { path, type: "link", mode: 0, size: link.value.length, oid: blobId(link.value) };
  }
  if (!stats.isFile()) return { path, type: "file", mode, size: 0, oid: SPECIAL };
  const read = readStable(at, (file, size) =>
    size <= IN_MEMORY ? blobId(readWhole(file, size)) : hashFile(file, size),
  );
  if (read === "gone") return absentAt(path);
  if (typeof read === "string") {
    throw new SafetyError(
      "in-the-way",
      `\`${encodePath(path)}\` cannot be read (${read}).`,
      "Wait until nothing writes to it, or check its permissions.",
    );
  }
  return {
    path,
    type: "file",
    mode: Number(read.stats.mode & 0o7777n),
    size: Number(read.stats.size),
    oid: read.value,
  };
}

const IN_MEMORY = 8 * 1024 * 1024;
/** A pipe, a socket or a device: like no content. */
const SPECIAL = "special";

function hashFile(file: number, size: number): string {
  const digest = createHash("sha1").update(`blob ${size}\0`);
  const chunk = Buffer.allocUnsafe(1024 * 1024);
  for (let at = 0; ;) {
    const length = readSync(file, chunk, 0, chunk.length, at);
    if (length === 0) return digest.digest("hex");
    digest.update(chunk.subarray(0, length));
    at += length;
  }
}

/** Looks at paths below a root without following links, neither at the end nor on the way. */
export interface Looker {
  /** What is at a path; null if nothing is, or where the way leads through something that is no folder. */
  readonly look: (path: BytePath) => BigIntStats | null;
  /** Whether a folder is reached through real folders only. */
  readonly isFolder: (folder: BytePath) => boolean;
}

/** A looker that remembers the folders it has seen. */
export function createLooker(root: string): Looker {
  const folders = new Map<BytePath, boolean>([["", true]]);
  const at = (path: BytePath): BigIntStats | null => {
    try {
      return lstatSync(diskPath(root, path), { bigint: true, throwIfNoEntry: false }) ?? null;
    } catch (error) {
      if (["ENOTDIR", "ELOOP"].includes(errorCode(error) ?? "")) return null;
      throw error;
    }
  };
  const isFolder = (folder: BytePath): boolean => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const is = isFolder(parentOf(folder)) && at(folder)?.isDirectory() === true;
    folders.set(folder, is);
    return is;
  };
  const look = (path: BytePath): BigIntStats | null => {
    if (!isFolder(parentOf(path))) return null;
    const stats = at(path);
    if (stats?.isDirectory() === true) folders.set(path, true);
    return stats;
  };
  return { look, isFolder };
}

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

/** What the disk says of a file without reading it; a file that was written to has another one. */
export function signatureOf({ dev, ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}:${mode}`;
}

/**
 * Whether a file was touched so short a time before a moment that a later write might leave its times as git sees them:
 * git compares seconds, clocks of file systems tick slowly, and some only every other second.
 */
export function isRacy({ mtimeNs, ctimeNs }: Pick<BigIntStats, "mtimeNs" | "ctimeNs">, momentNs: bigint): boolean {
  const second = momentNs - TICK - ((momentNs - TICK) % SECOND);
  return [mtimeNs, ctimeNs].some((time) => time >= (time % SECOND === 0n ? momentNs - 2n * SECOND : second));
}

const SECOND = 1_000_000_000n;
const TICK = 50_000_000n;

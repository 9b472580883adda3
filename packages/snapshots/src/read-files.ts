import { createHash, hash } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  readdirSync,
  readlinkSync,
} from "node:fs";
import { errorCode } from "@agent-checkpoint/files";
import { absentAt, type Entry, folderAt } from "./manifest.ts";
import { type BytePath, diskPath, encodePath, parentOf } from "./paths.ts";
import { SafetyError } from "./trouble.ts";

/** The state of a path now, with the id of its contents. */
export function entryAt(root: string, path: BytePath, look: Looker["look"]): Entry {
  const stats = look(path);
  return stats === null ? absentAt(path) : entryOf(diskPath(root, path), path, stats);
}

/** The state of what was looked at. */
export function entryOf(at: string | Buffer, path: BytePath, stats: BigIntStats): Entry {
  if (stats.isDirectory()) return folderAt(path, modeOf(stats));
  if (stats.isSymbolicLink()) {
    const link = readLink(at);
    return link === null ? absentAt(path) : { path, type: "link", mode: 0, size: link.length, oid: blobId(link) };
  }
  if (!stats.isFile()) return { path, type: "file", mode: modeOf(stats), size: 0, oid: SPECIAL };
  const read = readStable(at, hashFile);
  if (read === "gone") return absentAt(path);
  if (typeof read !== "string")
    return { path, type: "file", mode: modeOf(read.stats), size: Number(read.stats.size), oid: read.value };
  const advice = "Wait until nothing writes to it, or check its permissions.";
  throw new SafetyError("in-the-way", `\`${encodePath(path)}\` cannot be read (${read}).`, advice);
}

/** A pipe, a socket or a device: like no content. */
const SPECIAL = "special";

/** The permission bits. */
export function modeOf({ mode }: BigIntStats): number {
  return Number(mode & 0o7777n);
}

/** The id that git gives to a content. */
export function blobId(bytes: Buffer): string {
  return hash("sha1", Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]));
}

function hashFile(file: number, size: number): string {
  const digest = createHash("sha1").update(`blob ${size}\0`);
  eachPart(file, size, (part) => digest.update(part));
  return digest.digest("hex");
}

/** The id that git gives to a file of any length, and its size. */
export function digestFile(path: string): { readonly oid: string; readonly size: number } {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    return { oid: hashFile(file, size), size };
  } finally {
    closeSync(file);
  }
}

function eachPart(file: number, size: number, take: (part: Buffer) => void): void {
  const chunk = Buffer.allocUnsafe(Math.min(Math.max(size, 1), 1024 * 1024));
  for (let at = 0; at < size;) {
    const length = readSync(file, chunk, 0, chunk.length, at);
    if (length === 0) return;
    take(chunk.subarray(0, length));
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
      const stats = fstatSync(file, { bigint: true });
      if (signatureOf(before) === signatureOf(stats)) return { value, stats };
    } finally {
      closeSync(file);
    }
  }
  return "changing";
}

const ATTEMPTS = 3;

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

/** The whole of an open file. */
export function readWhole(file: number, size: number): Buffer {
  const parts: Buffer[] = [];
  eachPart(file, size, (part) => parts.push(Buffer.from(part)));
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}

/** The target of a link, as bytes; null if it is gone. */
export function readLink(path: string | Buffer): Buffer | null {
  try {
    return readlinkSync(path, { encoding: "buffer" });
  } catch {
    return null;
  }
}

/** What the disk says of a file without reading it; a file that was written to has another one. */
export function signatureOf({ dev, ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}:${mode}`;
}

/**
 * Whether a file was touched so short a time before a moment that a later write might leave its times as git sees them:
 * git compares seconds, clocks of file systems tick slowly, and some only every other second.
 */
export function isRacy({ mtimeNs, ctimeNs }: Pick<BigIntStats, "mtimeNs" | "ctimeNs">, momentNs: bigint): boolean {
  // Most files were touched long before.
  if (mtimeNs < momentNs - 3n * SECOND && ctimeNs < momentNs - 3n * SECOND) return false;
  const second = momentNs - TICK - ((momentNs - TICK) % SECOND);
  return [mtimeNs, ctimeNs].some((time) => time >= (time % SECOND === 0n ? momentNs - 2n * SECOND : second));
}

const SECOND = 1_000_000_000n;
const TICK = 50_000_000n;

/**
 * Every path below a folder: folders, files, links and the rest; links are not followed, paths to avoid are left out.
 * What is in a `.git` is left out too, and its name only given where that is asked for.
 */
export function walkFolder(
  root: string,
  folder: BytePath,
  avoid: ReadonlySet<BytePath>,
  { namesGit = false }: { readonly namesGit?: boolean } = {},
): readonly BytePath[] {
  const found: BytePath[] = [];
  const folders = [folder];
  for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
    for (const child of readdirSync(diskPath(root, current), { withFileTypes: true, encoding: "latin1" })) {
      const path = current === "" ? child.name : `${current}/${child.name}`;
      const isGit = child.name === ".git";
      if (avoid.has(path) || (isGit && !namesGit)) continue;
      found.push(path);
      if (child.isDirectory() && !isGit) folders.push(path);
    }
  }
  return found;
}

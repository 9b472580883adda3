import { createHash } from "node:crypto";
import { type BigIntStats, readSync } from "node:fs";
import { absentAt, type Entry } from "../manifest/entry.ts";
import { type BytePath, diskPath, encodePath } from "../paths/byte-path.ts";
import { blobId } from "../store/contents.ts";
import { SafetyError } from "../trouble.ts";
import type { Looker } from "./look-at.ts";
import { readLink, readStable, readWhole } from "./read-stable.ts";

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

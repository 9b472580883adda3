import { join } from "node:path";
import { readSmallFile } from "@agent-checkpoint/files";
import { namesIn, runGitSync } from "./run-git.ts";
import { gitDirOf } from "./work-tree.ts";

/** The files that git tracks under a folder. */
export interface TrackedNames {
  /** A digest of the names. */
  readonly digest: string;
  /** Paths relative to the folder. */
  readonly list: () => readonly string[];
}

const TIMEOUT_MS = 5000;
const MAX_INDEX_BYTES = 256 * 1024 * 1024;

/**
 * The files that git tracks under a folder; at the root of a work tree without starting git, if its index has the usual form.
 * Empty if git gives no answer.
 */
export function readTrackedNames(folder: string): TrackedNames {
  return namesInIndex(folder) ?? namesFromGit(folder);
}

function namesFromGit(folder: string): TrackedNames {
  const listed = runGitSync(["ls-files", "-z"], { cwd: folder, timeoutMs: TIMEOUT_MS });
  const names = listed.ok ? listed.stdout : Buffer.alloc(0);
  return { digest: `git:${digestOf(names, [[0, names.length]])}`, list: () => namesIn(names) };
}

/** Where a name begins in the index, and where it ends. */
type Span = readonly [start: number, end: number];

function namesInIndex(root: string): TrackedNames | null {
  const gitDir = gitDirOf(root);
  const file = gitDir === null ? null : readSmallFile(join(gitDir, "index"), MAX_INDEX_BYTES);
  const spans = file?.ok === true ? spansOf(file.bytes) : null;
  if (file?.ok !== true || spans === null) return null;
  const { bytes } = file;
  return {
    digest: `index:${digestOf(bytes, spans)}`,
    list: () => spans.map(([start, end]) => bytes.toString("utf8", start, end)),
  };
}

const HEADER_BYTES = 12;
/** Times, modes, sizes and the id of the content (SHA-1) come before the flags of an entry. */
const FLAGS_AT = 60;
const CHECKSUM_BYTES = 20;

/**
 * The names in an index of version 2 or 3.
 * Null for another version, other ids, or an extension without which it cannot be understood (a split or sparse index).
 */
function spansOf(index: Buffer): readonly Span[] | null {
  const end = index.length - CHECKSUM_BYTES;
  if (end < HEADER_BYTES || index.toString("latin1", 0, 4) !== "DIRC") return null;
  const version = index.readUInt32BE(4);
  if (version !== 2 && version !== 3) return null;
  const spans: Span[] = [];
  let at = HEADER_BYTES;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    if (at + FLAGS_AT + 2 > end) return null;
    const isExtended = (index.readUInt16BE(at + FLAGS_AT) & 0x4000) !== 0;
    const start = at + FLAGS_AT + (isExtended ? 4 : 2);
    const stop = index.indexOf(0, start);
    if (stop <= start || stop >= end) return null;
    spans.push([start, stop]);
    // One to eight zeros fill an entry up to a multiple of eight bytes.
    at += (Math.floor((stop - at) / 8) + 1) * 8;
  }
  while (at + 8 <= end) {
    const isOptional = /^[A-Z]/.test(index.toString("latin1", at, at + 1));
    if (!isOptional) return null;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return at === end ? spans : null;
}

/** Two checksums of 32 bits over the names: `node:crypto` takes longer to load than everything else here. */
function digestOf(bytes: Buffer, spans: readonly Span[]): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  for (const [start, end] of spans) {
    for (let at = start; at <= end; at += 1) {
      const byte = at < end ? (bytes[at] ?? 0) : 0;
      one = Math.imul(one ^ byte, 0x01000193);
      other = Math.imul(other ^ byte, 0x85ebca6b) ^ (other >>> 13);
    }
  }
  return `${spans.length}:${(one >>> 0).toString(16)}:${(other >>> 0).toString(16)}`;
}

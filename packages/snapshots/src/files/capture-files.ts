import { hash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { absentAt, byPath, type Entry } from "../manifest/entry.ts";
import type { Omission } from "../manifest/manifest.ts";
import { type BytePath, diskPath, encodePath } from "../paths/byte-path.ts";
import type { Limits } from "../limits.ts";
import type { ReportProgress } from "../progress.ts";
import { type Scannable, scanContents } from "../sensitive/scan-contents.ts";
import { sensitiveName } from "../sensitive/sensitive-names.ts";
import type { PackWriter } from "../store/write-pack.ts";
import { SafetyError } from "../trouble.ts";
import type { Listing } from "./listing.ts";
import { createLooker } from "./look-at.ts";
import { readLink, readStable, readWhole, type Unread } from "./read-stable.ts";
import { isRacy, signatureOf } from "./signature.ts";
import type { Known, StatCache } from "./stat-cache.ts";

export interface CaptureOptions {
  readonly root: string;
  readonly limits: Limits;
  readonly pack: PackWriter;
  readonly cache: StatCache;
  /** Whether files with secrets are left out; a restore keeps them, since it is about to write over them. */
  readonly leaveSecrets: boolean;
  readonly progress: ReportProgress;
  /** Files touched at this time or later are told apart, in nanoseconds; null for none. */
  readonly recentSince: bigint | null;
}

/** The state of the paths of a listing, with what was left out and why. */
export interface Captured {
  readonly entries: readonly Entry[];
  readonly excluded: readonly Omission[];
  readonly skipped: readonly Omission[];
  readonly lines: number;
  readonly bytes: number;
  /** What is now known of each file, for the next time. */
  readonly known: ReadonlyMap<BytePath, Known>;
  /** Files and links that were touched at the time asked about, or later. */
  readonly recent: readonly BytePath[];
  /** Files with more than one name on the disk. */
  readonly hardLinks: number;
}

interface Pending extends Scannable {
  readonly stats: BigIntStats;
  readonly sha256: string;
}

/** Reads every path of a listing into the pack, byte for byte. */
export async function captureFiles(listing: Listing, options: CaptureOptions): Promise<Captured> {
  const { root, limits, pack, cache, leaveSecrets, progress, recentSince } = options;
  const started = Date.now();
  const startedNs = BigInt(started) * 1_000_000n;
  const { look } = createLooker(root);
  const entries: Entry[] = [];
  const excluded: Omission[] = [];
  const skipped: Omission[] = [...listing.skipped];
  const known = new Map<BytePath, Known>();
  const recent: BytePath[] = [];
  let pending: Pending[] = [];
  let pendingBytes = 0;
  let lines = 0;
  let bytes = 0;
  let files = 0;
  let hardLinks = 0;

  const skip = (path: BytePath, rule: keyof typeof SKIP_REASONS): void => {
    skipped.push({ path: encodePath(path), rule, reason: SKIP_REASONS[rule] });
  };
  const settle = (
    path: BytePath,
    stats: BigIntStats,
    { sha256, size, lineCount }: { sha256: string; size: number; lineCount: number },
  ): void => {
    entries.push({ path, type: "file", mode: modeOf(stats), size, sha256 });
    lines += lineCount;
    if (!isRacy(stats, startedNs)) known.set(path, { signature: signatureOf(stats), sha256, lines: lineCount });
  };
  const flush = async (): Promise<void> => {
    const found = leaveSecrets
      ? await scanContents(pending.map(({ path, bytes }) => ({ path, bytes: bytes.subarray(0, limits.scanBytes) })))
      : null;
    for (const { path, bytes, stats, sha256 } of pending) {
      const finding = found?.get(path);
      if (finding !== undefined) excluded.push({ path: encodePath(path), ...finding });
      else {
        pack.add(bytes, sha256);
        settle(path, stats, { sha256, size: bytes.length, lineCount: countLines(bytes) });
      }
    }
    pending = [];
    pendingBytes = 0;
  };
  const unread = (path: BytePath, why: Unread): void => {
    if (why === "gone") {
      if (isAbsenceKnown(listing, path)) entries.push(absentAt(path));
      return;
    }
    if (listing.named.has(path) && why === "changing") {
      throw new SafetyError(
        "unstable-file",
        `\`${encodePath(path)}\` keeps changing while it is read.`,
        "Wait until it is written, and try again.",
      );
    }
    skip(path, why);
  };

  for (const [index, path] of listing.paths.entries()) {
    if (index % 256 === 0) progress({ step: "reading", done: index, total: listing.paths.length });
    const stats = look(path);
    if (stats === null) {
      if (isAbsenceKnown(listing, path)) entries.push(absentAt(path));
      continue;
    }
    if (stats.isDirectory()) {
      entries.push({ path, type: "directory", mode: modeOf(stats), size: 0, sha256: null });
      continue;
    }
    if (recentSince !== null && stats.ctimeNs >= recentSince) recent.push(path);
    const secret = leaveSecrets ? sensitiveName(path) : null;
    if (secret !== null) {
      excluded.push({ path: encodePath(path), ...secret });
      continue;
    }
    if (stats.isSymbolicLink()) {
      const link = readLink(diskPath(root, path));
      if (typeof link === "string") unread(path, link);
      else entries.push({ path, type: "link", mode: 0, size: link.value.length, sha256: pack.add(link.value) });
      continue;
    }
    if (!stats.isFile()) {
      skip(path, "special");
      continue;
    }
    const size = Number(stats.size);
    const over = limitReached({ size, bytes, files, millis: Date.now() - started }, limits);
    if (over !== null) {
      skip(path, over);
      continue;
    }
    files += 1;
    bytes += size;
    if (stats.nlink > 1n) hardLinks += 1;
    const before = cache.get(path);
    if (before !== undefined && before.signature === signatureOf(stats) && pack.has(before.sha256)) {
      settle(path, stats, { sha256: before.sha256, size, lineCount: before.lines });
    } else if (size <= IN_MEMORY) {
      const read = readStable(diskPath(root, path), readWhole);
      if (typeof read === "string") unread(path, read);
      else {
        pending.push({ path, bytes: read.value, stats: read.stats, sha256: hash("sha256", read.value) });
        pendingBytes += read.value.length;
        if (pendingBytes > BATCH) await flush();
      }
    } else {
      await flush();
      await takeLarge(path);
    }
  }
  await flush();
  progress({ step: "reading", done: listing.paths.length, total: listing.paths.length });
  return { entries: entries.sort(byPath), excluded, skipped, lines, bytes, known, recent, hardLinks };

  /** A file too large to hold in memory: its beginning is searched, then it goes straight into the pack. */
  async function takeLarge(path: BytePath): Promise<void> {
    const start = readStable(diskPath(root, path), (file) => readWhole(file, limits.scanBytes));
    if (typeof start === "string") return unread(path, start);
    const found = leaveSecrets ? await scanContents([{ path, bytes: start.value }]) : null;
    const finding = found?.get(path);
    if (finding !== undefined) {
      excluded.push({ path: encodePath(path), ...finding });
      return;
    }
    const read = readStable(diskPath(root, path), (file) => pack.addFile(file, limits.fileBytes));
    if (typeof read === "string") unread(path, read);
    else settle(path, read.stats, { ...read.value, lineCount: 0 });
  }
}

/** Why something in scope is not in the checkpoint. */
const SKIP_REASONS = {
  special: "neither a file, a folder nor a link",
  "file-too-large": "larger than the limit for one file",
  "checkpoint-too-large": "the limit for the whole checkpoint was reached",
  "too-many-files": "the limit for the number of files was reached",
  "out-of-time": "the limit for the time was reached",
  changing: "it kept changing while it was read",
  unreadable: "it may not be read",
} as const;

const IN_MEMORY = 8 * 1024 * 1024;
const BATCH = 1024 * 1024;

function limitReached(
  { size, bytes, files, millis }: { size: number; bytes: number; files: number; millis: number },
  limits: Limits,
): keyof typeof SKIP_REASONS | null {
  if (size > limits.fileBytes) return "file-too-large";
  if (bytes + size > limits.totalBytes) return "checkpoint-too-large";
  if (files >= limits.files) return "too-many-files";
  return millis > limits.millis ? "out-of-time" : null;
}

/** Whether it is recorded that nothing is at a path; a path that is merely not there is left alone. */
function isAbsenceKnown({ named, deleted }: Listing, path: BytePath): boolean {
  return named.has(path) || deleted.has(path);
}

function modeOf({ mode }: BigIntStats): number {
  return Number(mode & 0o7777n);
}

/** The lines of a text; a binary has none. */
function countLines(bytes: Buffer): number {
  if (bytes.subarray(0, 8000).includes(0)) return 0;
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1;
  return count + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0);
}

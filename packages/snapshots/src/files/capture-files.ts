import type { BigIntStats } from "node:fs";
import { type Entry, absentAt, byPath } from "../manifest/entry.ts";
import type { Omission } from "../manifest/manifest.ts";
import { type BytePath, diskPath, encodePath } from "../paths/byte-path.ts";
import type { Limits, ReportProgress } from "../context.ts";
import { type Scannable, scanContents } from "@agent-checkpoint/redaction/scan";
import { sensitiveName } from "../sensitive/sensitive-names.ts";
import type { ObjectWriter } from "../store/object-writer.ts";
import { SafetyError } from "../trouble.ts";
import type { Listing } from "./list-by-walking.ts";
import {
  type Unread,
  createLooker,
  isRacy,
  readLink,
  readStable,
  readStableParts,
  readWhole,
  signatureOf,
} from "./entry-at.ts";
import type { CapturedFile } from "./known-files.ts";

export interface CaptureOptions {
  readonly root: string;
  readonly limits: Limits;
  readonly writer: ObjectWriter;
  /** What the disk says is as it was when it was last captured: it is not even looked at. */
  readonly known: ReadonlyMap<BytePath, Entry>;
  /** Files that are as they were committed, by what git says: their contents are not read. */
  readonly committed: ReadonlyMap<BytePath, string>;
  /** Whether files with secrets are left out; a restore keeps them, since it is about to write over them. */
  readonly leaveSecrets: boolean;
  readonly progress: ReportProgress;
  /** When git was asked what has changed, in nanoseconds. */
  readonly momentNs: bigint;
}

/** The state of the paths of a listing, with what was left out and why. */
export interface Captured {
  readonly entries: readonly Entry[];
  readonly excluded: readonly Omission[];
  readonly skipped: readonly Omission[];
  readonly bytes: number;
  /** What was read from the disk and can be told by its times from now on. */
  readonly read: readonly CapturedFile[];
  /** What was taken as committed. */
  readonly asCommitted: readonly Entry[];
  /** Entries whose contents were not read. */
  readonly unread: ReadonlySet<BytePath>;
  /** Files with more than one name on the disk. */
  readonly hardLinks: number;
}

interface Pending extends Scannable {
  readonly stats: BigIntStats;
}

/** Reads every path of a listing into the store, byte for byte. */
export async function captureFiles(listing: Listing, options: CaptureOptions): Promise<Captured> {
  const { root, limits, writer, known, committed, leaveSecrets, progress, momentNs } = options;
  const started = Date.now();
  const { look } = createLooker(root);
  const entries: Entry[] = [];
  const excluded: Omission[] = [];
  const skipped: Omission[] = [];
  const read: CapturedFile[] = [];
  const asCommitted: Entry[] = [];
  const unreadPaths = new Set<BytePath>();
  let pending: Pending[] = [];
  let pendingBytes = 0;
  let bytes = 0;
  let files = 0;
  let hardLinks = 0;

  const skip = (path: BytePath, rule: keyof typeof SKIP_REASONS): void => {
    skipped.push({ path: encodePath(path), rule, reason: SKIP_REASONS[rule] });
  };
  const settle = (path: BytePath, stats: BigIntStats, { oid, size }: { oid: string; size: number }): void => {
    const entry: Entry = { path, type: "file", mode: modeOf(stats), size, oid };
    entries.push(entry);
    if (stats.nlink > 1n) hardLinks += 1;
    else if (!isRacy(stats, momentNs)) read.push({ entry, signature: signatureOf(stats) });
  };
  const flush = async (): Promise<void> => {
    const found = leaveSecrets
      ? await scanContents(pending.map(({ path, bytes }) => ({ path, bytes: bytes.subarray(0, limits.scanBytes) })))
      : null;
    for (const { path, bytes, stats } of pending) {
      const finding = found?.get(path);
      if (finding !== undefined) excluded.push({ path: encodePath(path), ...finding });
      else settle(path, stats, { oid: await writer.add(bytes), size: bytes.length });
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
    const before = known.get(path);
    if (before !== undefined) {
      // Its size was counted when it was read, and limits are of what is in scope now.
      const over = limitReached({ size: before.size, bytes, files, millis: Date.now() - started }, limits);
      if (over !== null) skip(path, over);
      else {
        entries.push(before);
        unreadPaths.add(path);
        files += 1;
        bytes += before.size;
      }
      continue;
    }
    const stats = look(path);
    if (stats === null) {
      if (isAbsenceKnown(listing, path)) entries.push(absentAt(path));
      continue;
    }
    if (stats.isDirectory()) {
      entries.push({ path, type: "directory", mode: modeOf(stats), size: 0, oid: null });
      continue;
    }
    const secret = leaveSecrets ? sensitiveName(path) : null;
    if (secret !== null) {
      excluded.push({ path: encodePath(path), ...secret });
      continue;
    }
    if (stats.isSymbolicLink()) {
      const link = readLink(diskPath(root, path));
      if (typeof link === "string") unread(path, link);
      else entries.push({ path, type: "link", mode: 0, size: link.value.length, oid: await writer.add(link.value) });
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
    const oid = committed.get(path);
    if (oid !== undefined && stats.nlink === 1n && !isRacy(stats, momentNs)) {
      const entry: Entry = { path, type: "file", mode: modeOf(stats), size, oid };
      entries.push(entry);
      asCommitted.push(entry);
      unreadPaths.add(path);
    } else if (size <= IN_MEMORY) {
      const whole = readStable(diskPath(root, path), readWhole);
      if (typeof whole === "string") unread(path, whole);
      else {
        pending.push({ path, bytes: whole.value, stats: whole.stats });
        pendingBytes += whole.value.length;
        if (pendingBytes > BATCH) await flush();
      }
    } else {
      await flush();
      await takeLarge(path);
    }
  }
  await flush();
  progress({ step: "reading", done: listing.paths.length, total: listing.paths.length });
  return { entries: entries.sort(byPath), excluded, skipped, bytes, read, asCommitted, unread: unreadPaths, hardLinks };

  /** A file too large to hold in memory: its beginning is searched, then it goes straight into the store. */
  async function takeLarge(path: BytePath): Promise<void> {
    const start = readStable(diskPath(root, path), (file) => readWhole(file, limits.scanBytes));
    if (typeof start === "string") return unread(path, start);
    const found = leaveSecrets ? await scanContents([{ path, bytes: start.value }]) : null;
    const finding = found?.get(path);
    if (finding !== undefined) {
      excluded.push({ path: encodePath(path), ...finding });
      return;
    }
    const whole = await readStableParts(diskPath(root, path), (file, size) => writer.addFile(file, size));
    if (typeof whole === "string") unread(path, whole);
    else settle(path, whole.stats, { oid: whole.value, size: Number(whole.stats.size) });
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

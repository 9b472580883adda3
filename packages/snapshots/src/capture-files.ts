import { type BigIntStats, closeSync, openSync } from "node:fs";
import { type Scannable, scanContents } from "@agent-checkpoint/redaction/scan";
import type { Listing } from "./list-files.ts";
import { absentAt, byPath, type Entry, folderAt, type LeftOut, type Omission } from "./manifest.ts";
import type { ObjectWriter } from "./objects.ts";
import { type BytePath, diskPath, encodePath } from "./paths.ts";
import type { Limits, ReportProgress } from "./place.ts";
import {
  blobId,
  createLooker,
  isRacy,
  modeOf,
  readLink,
  readStable,
  readWhole,
  signatureOf,
  type Unread,
} from "./read-files.ts";
import { sensitiveName } from "./sensitive-names.ts";
import { SafetyError } from "./trouble.ts";

export interface CaptureOptions {
  readonly root: string;
  readonly limits: Limits;
  readonly writer: ObjectWriter;
  /** What was captured last. */
  readonly last: ReadonlyMap<BytePath, Entry>;
  /** What of it may have changed since; the other files are not even looked at. */
  readonly touched: ReadonlySet<BytePath>;
  /** The content of a file that is as committed, by what git says: it is not read. */
  readonly committed: (path: BytePath) => string | undefined;
  /** Whether files with secrets are left out; a restore keeps them, since it is about to write over them. */
  readonly leaveSecrets: boolean;
  readonly progress: ReportProgress;
  /** When git was asked what has changed, in nanoseconds. */
  readonly momentNs: bigint;
}

/** The state of the paths of a listing, with what was left out and why. */
export interface Captured extends LeftOut {
  readonly entries: readonly Entry[];
  readonly bytes: number;
  /** The files that can be told by their times from now on, each with what the disk said of it. */
  readonly read: ReadonlyMap<BytePath, string>;
  /** What was taken as committed. */
  readonly asCommitted: readonly Entry[];
  /** Entries whose contents were not read. */
  readonly unread: ReadonlySet<BytePath>;
  /** Entries that were read, and are as they were captured last. */
  readonly unchanged: ReadonlySet<BytePath>;
  /** Files with more than one name on the disk. */
  readonly hardLinks: number;
}

/** Reads every path of a listing into the store, byte for byte. */
export async function captureFiles(listing: Listing, options: CaptureOptions): Promise<Captured> {
  const { root, limits, writer, last, touched, committed, leaveSecrets, progress, momentNs } = options;
  const started = Date.now();
  const { look } = createLooker(root);
  const entries: Entry[] = [];
  const excluded: Omission[] = [];
  const skipped: Omission[] = [];
  const read = new Map<BytePath, string>();
  const asCommitted: Entry[] = [];
  const unread = new Set<BytePath>();
  const unchanged = new Set<BytePath>();
  let pending: (Scannable & { readonly stats: BigIntStats })[] = [];
  let pendingBytes = 0;
  let bytes = 0;
  let files = 0;
  let hardLinks = 0;

  const skip = (path: BytePath, rule: keyof typeof SKIP_REASONS): void => {
    skipped.push({ path: encodePath(path), rule, reason: SKIP_REASONS[rule] });
  };
  const exclude = (path: BytePath, finding: Omit<Omission, "path">): void => {
    excluded.push({ path: encodePath(path), ...finding });
  };
  /** Notes that nothing is at a path; one that is merely not there is left alone. */
  const miss = (path: BytePath): void => {
    if (listing.named.has(path) || listing.deleted.has(path)) entries.push(absentAt(path));
  };
  const settle = (path: BytePath, stats: BigIntStats, oid: string): void => {
    entries.push({ path, type: "file", mode: modeOf(stats), size: Number(stats.size), oid });
    if (stats.nlink > 1n) hardLinks += 1;
    else if (!isRacy(stats, momentNs)) read.set(path, signatureOf(stats));
  };
  const flush = async (): Promise<void> => {
    const isNew = ({ path, bytes: content, stats }: (typeof pending)[number]): boolean => {
      const before = last.get(path);
      return before?.type !== "file" || before.mode !== modeOf(stats) || before.oid !== blobId(content);
    };
    const fresh = new Set(pending.filter(isNew));
    const scanned = [...fresh].map(({ path, bytes: whole }) => ({ path, bytes: whole.subarray(0, limits.scanBytes) }));
    const found = leaveSecrets ? await scanContents(scanned) : new Map<string, Omit<Omission, "path">>();
    for (const each of pending) {
      const { path, bytes: content, stats } = each;
      const finding = found.get(path);
      if (finding !== undefined) exclude(path, finding);
      else if (fresh.has(each)) settle(path, stats, await writer.add(content));
      else {
        settle(path, stats, last.get(path)?.oid ?? "");
        unchanged.add(path);
      }
    }
    pending = [];
    pendingBytes = 0;
  };
  const giveUp = (path: BytePath, why: Unread): void => {
    if (why === "gone") return miss(path);
    if (!listing.named.has(path) || why !== "changing") return skip(path, why);
    const what = `\`${encodePath(path)}\` keeps changing while it is read.`;
    throw new SafetyError("unstable-file", what, "Wait until it is written, and try again.");
  };
  /** Whether a file still fits, which it then counts for. */
  const fits = (path: BytePath, size: number): boolean => {
    const over = limitReached({ size, bytes, files, millis: Date.now() - started }, limits);
    if (over !== null) skip(path, over);
    else {
      files += 1;
      bytes += size;
    }
    return over === null;
  };
  /** A file too large to hold in memory: its beginning is searched, then it goes straight into the store. */
  const takeLarge = async (path: BytePath): Promise<void> => {
    const at = diskPath(root, path);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const start = readStable(at, (file) => readWhole(file, limits.scanBytes));
      if (typeof start === "string") return giveUp(path, start);
      const finding = leaveSecrets ? (await scanContents([{ path, bytes: start.value }])).get(path) : undefined;
      if (finding !== undefined) return exclude(path, finding);
      const file = openSync(at, "r");
      const oid = await writer.addFile(file, Number(start.stats.size)).finally(() => closeSync(file));
      const stats = look(path);
      if (stats !== null && signatureOf(stats) === signatureOf(start.stats)) return settle(path, stats, oid);
    }
    giveUp(path, "changing");
  };

  for (const [index, path] of listing.paths.entries()) {
    if (index % 256 === 0) progress({ step: "reading", done: index, total: listing.paths.length });
    const before = last.get(path);
    if (before?.type === "file" && !touched.has(path)) {
      // Its size was counted when it was read, and limits are of what is in scope now.
      if (fits(path, before.size)) {
        entries.push(before);
        unread.add(path);
      }
      continue;
    }
    const stats = look(path);
    if (stats === null) {
      miss(path);
      continue;
    }
    if (stats.isDirectory()) {
      entries.push(folderAt(path, modeOf(stats)));
      continue;
    }
    const secret = leaveSecrets ? sensitiveName(path) : null;
    if (secret !== null) exclude(path, secret);
    else if (stats.isSymbolicLink()) {
      const link = readLink(diskPath(root, path));
      if (link === null) miss(path);
      else if (before?.type === "link" && before.oid === blobId(link)) {
        entries.push(before);
        unchanged.add(path);
      } else entries.push({ path, type: "link", mode: 0, size: link.length, oid: await writer.add(link) });
    } else if (!stats.isFile()) skip(path, "special");
    else if (fits(path, Number(stats.size))) {
      const oid = committed(path);
      if (oid !== undefined && stats.nlink === 1n && !isRacy(stats, momentNs)) {
        const entry: Entry = { path, type: "file", mode: modeOf(stats), size: Number(stats.size), oid };
        entries.push(entry);
        asCommitted.push(entry);
        unread.add(path);
      } else if (stats.size > IN_MEMORY) {
        await flush();
        await takeLarge(path);
      } else {
        const whole = readStable(diskPath(root, path), readWhole);
        if (typeof whole === "string") giveUp(path, whole);
        else {
          pending.push({ path, bytes: whole.value, stats: whole.stats });
          pendingBytes += whole.value.length;
          if (pendingBytes > BATCH) await flush();
        }
      }
    }
  }
  await flush();
  progress({ step: "reading", done: listing.paths.length, total: listing.paths.length });
  return { entries: entries.sort(byPath), excluded, skipped, bytes, read, asCommitted, unread, unchanged, hardLinks };
}

const ATTEMPTS = 3;

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

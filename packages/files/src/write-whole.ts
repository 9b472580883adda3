import {
  chownSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readSmallFile } from "./read-small-file.ts";
import { errorCode } from "./unknown-values.ts";

export interface WriteOptions {
  /** The mode of the file; by default only its owner has access. */
  readonly mode?: number | undefined;
  /** Whether the file survives a power cut; by default it does. */
  readonly isFlushed?: boolean | undefined;
  /** Where the draft is written, by default the file's own folder; it must be on the same disk for `writeWhole`. */
  readonly tmp?: string | undefined;
  /** Called before the file gets its name; if it throws, nothing changes. */
  readonly beforeRename?: (() => void) | undefined;
}

/** Writes a file atomically, by renaming a draft into place: readers see the old or the new contents, even after a crash. */
export function writeWhole(path: string, content: string | Buffer, options: WriteOptions = {}): void {
  const { mode, isFlushed = true, tmp = dirname(path), beforeRename } = options;
  const draft = writeDraft(path, content, { mode, isFlushed, tmp });
  try {
    beforeRename?.();
    rename(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  if (isFlushed) flushFolder(dirname(path));
}

/** Writes a file under a name that no other process uses, and returns that name. */
export function writeDraft(
  path: string,
  content: string | Buffer,
  { mode, isFlushed = true, tmp = dirname(path) }: Omit<WriteOptions, "beforeRename"> = {},
): string {
  const draft = join(tmp, `${basename(path)}.${uniqueName()}.tmp`);
  const file = openSync(draft, "wx", 0o600);
  try {
    writeAll(file, Buffer.from(content));
    if (mode !== undefined) fchmodSync(file, mode);
    if (isFlushed) fsyncSync(file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return draft;
}

/** Writes all of the bytes, even if the system takes them in parts. */
export function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at);
}

/** Makes the names in a folder survive a power cut; some file systems flush no folders. */
export function flushFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } catch (error) {
    if (!["EINVAL", "EPERM"].includes(errorCode(error) ?? "")) throw error;
  } finally {
    closeSync(folder);
  }
}

/** Writes a file unless it exists; false if it does. */
export function writeNew(path: string, content: string, mode = 0o666): boolean {
  try {
    writeFileSync(path, content, { flag: "wx", mode });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Renames an unusable file to another name beside it, and returns that name. */
export function setAside(path: string, now: Date): string {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const id = Math.floor(Math.random() * 16 ** 6).toString(16);
  const aside = `${path}.corrupt-${time}-${id.padStart(6, "0")}`;
  renameSync(path, aside);
  return basename(aside);
}

/** A name that no other call returns, in this process or another. */
export function uniqueName(): string {
  const parts = [Date.now(), process.pid, process.hrtime.bigint(), Math.floor(Math.random() * 36 ** 8)];
  return parts.map((part) => part.toString(36)).join("-");
}

/** Deletes the drafts that processes left in a folder when they died while writing. */
export function sweepDrafts(folder: string): void {
  try {
    for (const name of readdirSync(folder).filter((each) => DRAFT.test(each))) {
      const path = join(folder, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats !== undefined && Date.now() - stats.mtimeMs > STALE_AFTER_MS)
        rmSync(path, { recursive: true, force: true });
    }
  } catch {
    // Any remaining draft can wait for the next time.
  }
}

const DRAFT = /\.[0-9a-z]+(?:-[0-9a-z]+){3}\.tmp$/;
const STALE_AFTER_MS = 60_000;

/**
 * Replaces an old text by a new one atomically; false if the file has changed in the meantime.
 * A symbolic link stays one: its target is replaced. Mode and owner stay. Null stands for no file.
 */
export function replaceFile(
  file: string,
  before: string | Buffer | null,
  after: string | Buffer | null,
  { tmp }: Pick<WriteOptions, "tmp"> = {},
): boolean {
  const target = targetOf(file);
  if (after === null) {
    if (!isStill(target, before)) return false;
    rmSync(target, { force: true });
    return true;
  }
  mkdirSync(dirname(target), { recursive: true });
  try {
    return replaceBy(target, before, after, tmp ?? dirname(target));
  } catch (error) {
    if (tmp === undefined || errorCode(error) !== "EXDEV") throw error;
    return replaceBy(target, before, after, dirname(target));
  }
}

function replaceBy(target: string, before: string | Buffer | null, after: string | Buffer, tmp: string): boolean {
  const found = statSync(target, { throwIfNoEntry: false });
  const draft = writeDraft(target, after, { tmp, mode: found ? found.mode & 0o7777 : 0o666 & ~process.umask() });
  try {
    if (before === null) return createFrom(draft, target);
    if (found !== undefined) giveTo(draft, found);
    if (!isStill(target, before)) return false;
    rename(draft, target);
    flushFolder(dirname(target));
    return true;
  } finally {
    rmSync(draft, { force: true });
  }
}

function isStill(target: string, content: string | Buffer | null): boolean {
  const found = readSmallFile(target, Infinity);
  if (!found.ok) return found.reason === "missing" && content === null;
  return content !== null && found.bytes.equals(Buffer.from(content));
}

/** The target of a path through symbolic links, whether it exists or not. */
function targetOf(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  const link = lstatSync(file, { throwIfNoEntry: false });
  return link?.isSymbolicLink() ? resolve(dirname(file), readlinkSync(file)) : file;
}

/** A hard link can only be created if the name is free, and appears with its complete contents. */
function createFrom(draft: string, target: string): boolean {
  try {
    linkSync(draft, target);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function giveTo(path: string, { uid, gid }: Stats): void {
  if (uid === process.getuid?.() && gid === process.getgid?.()) return;
  try {
    chownSync(path, uid, gid);
  } catch {
    // Only root may give a file away; the file is then its writer's.
  }
}

/** Windows refuses while another process has the file open; it is never overwritten in place instead. */
function rename(from: string, to: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return renameSync(from, to);
    } catch (error) {
      const isBusy = process.platform === "win32" && ["EPERM", "EACCES", "EBUSY"].includes(errorCode(error) ?? "");
      if (!isBusy || attempt === 10) throw error;
      sleepSync(attempt * 10);
    }
  }
}

/** Blocks the process for a while. */
export function sleepSync(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

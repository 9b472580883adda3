import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { NoDataReason } from "../types.ts";

/** A regular file, open for reading, with the size it had when it was opened. */
export interface OpenFile {
  readonly fd: number;
  readonly size: number;
  /** How much is read first from the end; by default the usual block. */
  readonly firstBlock?: number | undefined;
}

/** The result of reading a file, or why it could not be read. */
export type FileReading<Value> =
  | { readonly status: "read"; readonly value: Value }
  | { readonly status: "refused"; readonly reason: Extract<NoDataReason, "missing" | "unreadable"> };

/** Opens a regular file for a reader, and closes it afterwards. */
export function withRegularFile<Value>(path: string, read: (file: OpenFile) => Value): FileReading<Value> {
  const opened = openRegularFile(path);
  if (opened.status === "refused") return opened;
  try {
    return { status: "read", value: read(opened.value) };
  } catch (error) {
    return refusalOf(error);
  } finally {
    closeSync(opened.value.fd);
  }
}

/**
 * Opens a regular file; the caller closes it.
 *
 * A folder, a FIFO, a device and a broken link are refused before and after opening, so that nothing can hang
 * even if the path changes in between.
 */
export function openRegularFile(path: string): FileReading<OpenFile> {
  let fd: number | null = null;
  try {
    if (!statSync(path).isFile()) return { status: "refused", reason: "unreadable" };
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    if (stats.isFile()) return { status: "read", value: { fd, size: stats.size } };
    closeSync(fd);
    return { status: "refused", reason: "unreadable" };
  } catch (error) {
    if (fd !== null) closeSync(fd);
    return refusalOf(error);
  }
}

/** Why a file could not be read, by the system's error; any other error is a bug and is thrown again. */
export function refusalOf(error: unknown): Extract<FileReading<never>, { readonly status: "refused" }> {
  if (!isSystemError(error)) throw error;
  return { status: "refused", reason: MISSING.has(error.code) ? "missing" : "unreadable" };
}

const MISSING: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/** Reads the bytes from `start` up to `end`, fewer if the file has become shorter since it was opened. */
export function readBlock({ fd }: OpenFile, start: number, end: number): Buffer {
  const block = Buffer.allocUnsafe(Math.max(0, end - start));
  let filled = 0;
  while (filled < block.length) {
    const count = readSync(fd, block, filled, block.length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return block.subarray(0, filled);
}

/** The names in a folder; empty if it cannot be read. */
export function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The files below a folder whose paths match, down to a depth. */
export function listFiles(folder: string, { name, depth }: { name: RegExp; depth: number }): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return depth > 0 ? listFiles(path, { name, depth: depth - 1 }) : [];
      return name.test(entry.name) ? [path] : [];
    });
  } catch {
    return [];
  }
}

/** Some file systems keep times to two seconds. */
const COARSEST_TIME_MS = 2000;

/** Whether a file was written since a moment; false if that is unknown. */
export function isWrittenSince(path: string, moment: Date): boolean {
  try {
    return statSync(path).mtimeMs >= moment.getTime() - COARSEST_TIME_MS;
  } catch {
    return false;
  }
}

/** Whether a path is a regular file. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The home folder of a query; `node:os` is loaded only for a query without one. */
export function homeOf({ home }: { readonly home?: string | undefined }): string {
  return home ?? process.getBuiltinModule("node:os").homedir();
}

/** A variable of the environment that a query is about; an empty one counts as not set. */
export function variableOf(
  { env = process.env }: { readonly env?: Readonly<Record<string, string | undefined>> | undefined },
  name: string,
): string | null {
  return env[name] || null;
}

import { closeSync, constants, fstatSync, openSync, statSync } from "node:fs";
import type { NoDataReason } from "../types.ts";

/** A regular file, open for reading, with the size it had when it was opened. */
export interface OpenFile {
  readonly fd: number;
  readonly size: number;
  /** How much is read first from the end, where the reader of the file knows better than the usual. */
  readonly firstBlock?: number | undefined;
}

/** The outcome of a look into a file, or why there was none. */
export type FileReading<Value> =
  | { readonly status: "read"; readonly value: Value }
  | { readonly status: "refused"; readonly reason: Extract<NoDataReason, "missing" | "unreadable"> };

/** Gives an open regular file to a reader and closes it again. */
export const withRegularFile = <Value>(path: string, read: (file: OpenFile) => Value): FileReading<Value> => {
  const opened = openRegularFile(path);
  if (opened.status === "refused") return opened;
  try {
    return { status: "read", value: read(opened.value) };
  } catch (error) {
    return refusalOf(error);
  } finally {
    closeSync(opened.value.fd);
  }
};

/**
 * Opens a regular file; the caller closes it.
 *
 * A folder, a FIFO, a device and a broken link are refused before and after opening, so that nothing can hang
 * even if the path changes in between.
 */
export const openRegularFile = (path: string): FileReading<OpenFile> => {
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
};

/** Why a file could not be read, for what the system reports; anything else is a bug and goes on. */
export const refusalOf = (error: unknown): Extract<FileReading<never>, { readonly status: "refused" }> => {
  if (!isSystemError(error)) throw error;
  return { status: "refused", reason: MISSING.has(error.code) ? "missing" : "unreadable" };
};

const MISSING: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);

const isSystemError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && "code" in error && typeof error.code === "string";

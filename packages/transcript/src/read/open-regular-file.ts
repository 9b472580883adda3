import { closeSync, constants, fstatSync, openSync, statSync } from "node:fs";
import type { NoDataReason } from "../types.ts";

/** A regular file, open for reading, with the size it had when it was opened. */
export interface OpenFile {
  readonly fd: number;
  readonly size: number;
}

/** The outcome of a look into a file, or why there was none. */
export type FileReading<Value> =
  | { readonly status: "read"; readonly value: Value }
  | { readonly status: "refused"; readonly reason: Extract<NoDataReason, "missing" | "unreadable"> };

/**
 * Gives an open regular file to a reader and closes it again.
 *
 * A folder, a FIFO, a device and a broken link are refused before and after opening, so that nothing can hang
 * even if the path changes in between.
 */
export const withRegularFile = <Value>(path: string, read: (file: OpenFile) => Value): FileReading<Value> => {
  let fd: number | null = null;
  try {
    if (!statSync(path).isFile()) return { status: "refused", reason: "unreadable" };
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    if (!stats.isFile()) return { status: "refused", reason: "unreadable" };
    return { status: "read", value: read({ fd, size: stats.size }) };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { status: "refused", reason: MISSING.has(error.code) ? "missing" : "unreadable" };
  } finally {
    if (fd !== null) closeSync(fd);
  }
};

const MISSING: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);

const isSystemError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && "code" in error && typeof error.code === "string";

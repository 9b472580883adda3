import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { errorCode, errorMessage } from "./unknown-values.ts";

/** The bytes of a regular file and its stats, or why there are none. */
export type SmallFile =
  | { readonly ok: true; readonly bytes: Buffer; readonly stats: Stats }
  | {
      readonly ok: false;
      readonly reason: "missing" | "not-regular" | "too-large" | "unreadable";
      readonly detail: string;
    };

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Reads a regular file of at most this many bytes; it does not follow a link or wait for a pipe. */
export function readSmallFile(path: string, maxBytes: number): SmallFile {
  try {
    const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      return readOpen(file, maxBytes);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === null) throw error;
    return { ok: false, reason: REASONS[code] ?? "unreadable", detail: errorMessage(error) };
  }
}

/** The text of such a file; null if there is none. */
export function readSmallText(path: string, maxBytes: number): string | null {
  const found = readSmallFile(path, maxBytes);
  return found.ok ? found.bytes.toString("utf8") : null;
}

/** What the system's codes mean; a link shows as too many of them, or as a device that cannot be opened. */
const REASONS: Readonly<Record<string, "missing" | "not-regular">> = {
  ENOENT: "missing",
  ENOTDIR: "missing",
  ELOOP: "not-regular",
  EMLINK: "not-regular",
  ENXIO: "not-regular",
  EISDIR: "not-regular",
};

function readOpen(file: number, maxBytes: number): SmallFile {
  const stats = fstatSync(file);
  if (!stats.isFile()) {
    return { ok: false, reason: "not-regular", detail: stats.isDirectory() ? "it is a folder" : "no regular file" };
  }
  if (stats.size > maxBytes) {
    return { ok: false, reason: "too-large", detail: `${stats.size} bytes, at most ${maxBytes} are read` };
  }
  const bytes = Buffer.allocUnsafe(stats.size);
  let done = 0;
  while (done < bytes.length) {
    const length = readSync(file, bytes, done, bytes.length - done, done);
    if (length === 0) break;
    done += length;
  }
  return { ok: true, bytes: bytes.subarray(0, done), stats };
}

import { closeSync, fsync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { errorCode } from "../error-code.ts";

/** Writes a file so that it is either absent, old or whole: a temporary one, flushed unless it can be made anew, renamed into place. */
export function writeWhole(
  path: string,
  content: string | Buffer,
  { tmp = dirname(path), isFlushed = true }: { readonly tmp?: string; readonly isFlushed?: boolean } = {},
): void {
  const draft = writeDraft(path, content, tmp);
  if (isFlushed) {
    const file = openSync(draft, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
  renameSync(draft, path);
}

/** Writes a file under a temporary name, which is given back. */
export function writeDraft(path: string, content: string | Buffer, tmp: string): string {
  const draft = join(tmp, `${basename(path)}.${process.pid}.${randomBytes(4).toString("hex")}`);
  const file = openSync(draft, "wx", 0o600);
  try {
    writeAll(file, Buffer.from(content));
  } finally {
    closeSync(file);
  }
  return draft;
}

/** Flushes files and folders, several at once, in nearly the time of one. */
export async function flushTogether(paths: readonly string[]): Promise<void> {
  await Promise.all(
    paths.map(async (path) => {
      const file = openSync(path, "r");
      try {
        await flushed(file);
      } catch (error) {
        if (!isFolderRefusal(error)) throw error;
      } finally {
        closeSync(file);
      }
    }),
  );
}

/** Only the flush itself is left to another thread: it is what takes long, and every other trip there would wait its turn. */
const flushed = promisify(fsync);

/** Writes all of the bytes, also where the system takes them in parts. */
export function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at);
}

/** Makes the names in a folder survive a power cut. */
export function flushFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } catch (error) {
    if (!isFolderRefusal(error)) throw error;
  } finally {
    closeSync(folder);
  }
}

/** Some file systems flush no folders. */
function isFolderRefusal(error: unknown): boolean {
  return ["EINVAL", "EPERM"].includes(errorCode(error) ?? "");
}

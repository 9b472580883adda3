import {
  chmodSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { errorCode } from "./unknown-values.ts";

/** Renames a file, link or folder on the same disk; an existing file is replaced. */
export function move(from: string | Buffer, to: string | Buffer): void {
  renameSync(from, to);
}

/** The same for a file or link, and throws `EEXIST` if the name is taken; without hard links it copies. */
export function moveToFree(from: string | Buffer, to: string | Buffer): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK"].includes(errorCode(error) ?? "")) throw error;
    copyToFree(from, to);
  }
  unlinkSync(from);
}

/** Copies a file with its permissions, or a link, to a free name. */
export function copyToFree(from: string | Buffer, to: string | Buffer): void {
  const stats = lstatSync(from);
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from, { encoding: "buffer" }), to);
  else {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    chmodSync(to, stats.mode & 0o7777);
  }
}

/**
 * Gives a finished draft its name; if that is taken, the other file stays and the draft goes. On a file system without hard
 * links it is renamed, so the caller holds a lock that keeps the name free.
 */
export function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path);
    unlinkSync(draft);
  } catch (error) {
    if (errorCode(error) === "EEXIST") unlinkSync(draft);
    else renameSync(draft, path);
  }
}

/** Creates a file that only its owner can access, and opens it for writing; throws `EEXIST` if it exists. */
export function openNew(path: string): number {
  return openSync(path, "wx", 0o600);
}

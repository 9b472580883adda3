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

/** Gives a file, link or folder another name on the same disk; a file that has the name is replaced. */
export function move(from: string | Buffer, to: string | Buffer): void {
  renameSync(from, to);
}

/** The same for a file or link and a name that must be free, or `EEXIST` is thrown; where there are no hard links, by a copy. */
export function moveToFree(from: string | Buffer, to: string | Buffer): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK"].includes(errorCode(error) ?? "")) throw error;
    copyToFree(from, to);
  }
  unlinkSync(from);
}

/** Copies a file with its permissions, or a link, to a name that must be free. */
export function copyToFree(from: string | Buffer, to: string | Buffer): void {
  const stats = lstatSync(from);
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from, { encoding: "buffer" }), to);
  else {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    chmodSync(to, stats.mode & 0o7777);
  }
}

/** Makes a file of its owner's alone, and opens it for writing; `EEXIST` is thrown if there is one. */
export function openNew(path: string): number {
  return openSync(path, "wx", 0o600);
}

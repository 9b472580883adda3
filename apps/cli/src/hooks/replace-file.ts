import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Puts a new text in place of an old one, whole or not at all; false if the file is no longer what it was.
 * A symbolic link stays one: the file that it leads to is replaced. Mode and owner stay. Null stands for no file.
 */
export function replaceFile(file: string, before: string | null, after: string | null): boolean {
  const target = targetOf(file);
  if (after === null) {
    if (!isStill(target, before)) return false;
    rmSync(target);
    return true;
  }
  mkdirSync(dirname(target), { recursive: true });
  const temporary = join(dirname(target), `.${basename(target)}.agent-checkpoint-${randomBytes(6).toString("hex")}`);
  try {
    writeWhole(temporary, after);
    if (before === null) return createFrom(temporary, target);
    const { mode, uid, gid } = statSync(target);
    chmodSync(temporary, mode & 0o7777);
    if (uid !== process.getuid?.() || gid !== process.getgid?.()) giveTo(temporary, uid, gid);
    if (!isStill(target, before)) return false;
    renameSync(temporary, target);
    return true;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function isStill(target: string, text: string | null): boolean {
  if (text === null) return !existsSync(target);
  try {
    return readFileSync(target).equals(Buffer.from(text));
  } catch {
    return false;
  }
}

/** The file that a path leads to through symbolic links, whether it is there or not. */
function targetOf(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  const link = lstatSync(file, { throwIfNoEntry: false });
  return link?.isSymbolicLink() ? resolve(dirname(file), readlinkSync(file)) : file;
}

function writeWhole(path: string, text: string): void {
  const descriptor = openSync(path, "wx");
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A link is made only if there is nothing yet, and appears with its whole contents. */
function createFrom(temporary: string, target: string): boolean {
  try {
    linkSync(temporary, target);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function giveTo(path: string, uid: number, gid: number): void {
  try {
    chownSync(path, uid, gid);
  } catch {
    // Only root may give a file away; the file is then its writer's.
  }
}

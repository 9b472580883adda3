import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { hash } from "node:crypto";
import { join, relative, sep } from "node:path";

/** The status document as it is on disk. */
export interface StatusDocument {
  /** Relative to the root, behind links; null where it may not be written. */
  readonly path: string;
  /** Null where it does not exist yet. */
  readonly bytes: Buffer | null;
}

/** Finds the document; a link is followed inside the repository only. */
export function findDocument(root: string, name: string): StatusDocument | { readonly problem: string } {
  const named = join(root, name);
  const stats = lstatSync(named, { throwIfNoEntry: false });
  if (stats === undefined) return { path: name, bytes: null };
  try {
    const real = realpathSync(named);
    const path = relative(realpathSync(root), real);
    const isInside = path !== "" && !path.startsWith("..") && !path.split(sep).includes(".git");
    if (!isInside) return { problem: `${name} is a link out of the repository` };
    if (!statSync(real).isFile()) return { problem: `${name} is no file` };
    return { path: path.split(sep).join("/"), bytes: readFileSync(real) };
  } catch (error) {
    return { problem: `${name} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Gives a file other bytes, whole or not at all, with the rights it had; null removes it. */
export function replaceDocument(file: string, bytes: Buffer | null, folder: string): void {
  if (bytes === null) return rmSync(file, { force: true });
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0o644;
  try {
    writeAndRename(join(folder, "document.tmp"), file, { bytes, mode });
  } catch (error) {
    // The work tree may lie on another disk than the repository.
    if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
    writeAndRename(`${file}.agent-checkpoint.tmp`, file, { bytes, mode });
  }
}

function writeAndRename(
  draft: string,
  file: string,
  { bytes, mode }: { readonly bytes: Buffer; readonly mode: number },
): void {
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  try {
    chmodSync(draft, mode & 0o777);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** What tells two states of a document apart. */
export function hashOf(bytes: Buffer | null): string | null {
  return bytes === null ? null : hash("sha256", bytes);
}

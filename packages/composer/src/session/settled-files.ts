import { lstatSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Proof } from "@agent-checkpoint/store";

/** What identifies a file at a stop: size, time of change and inode, without its content. */
export type Marks = ReadonlyMap<string, string>;

/** A stop about more files is judged without memory, so that its cost is bounded. */
const MAX_FILES = 200;

/** Looks at each file once; null if there are too many. */
export function markFiles(root: string, files: readonly string[]): Marks | null {
  return files.length > MAX_FILES ? null : new Map(files.map((file) => [file, markOf(resolve(root, file))]));
}

/** A program can set the time of modification back, but not the time of change. */
function markOf(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "absent" : `${stats.size}:${stats.ctimeNs}:${stats.ino}`;
}

/**
 * The files whose content was neither proven nor asked about before.
 *
 * What is settled holds for the very content: it survives a commit, and ends for a file when that file changes. A file
 * that was written anew with the same content, by a rebase, a stash or in another work tree, is known by its digest.
 */
export function openFiles(
  root: string,
  { files, marks, settled }: { files: readonly string[]; marks: Marks; settled: readonly Proof[] },
): readonly string[] {
  const known = new Map(settled.map(({ file, mark }) => [file, mark]));
  let left = MAX_READ;
  return files.filter((file) => {
    const [was, digest] = known.get(file)?.split(" ") ?? [];
    const is = marks.get(file);
    if (was === is) return false;
    const mayBeSame = digest !== undefined && sizeIn(was) === sizeIn(is) && (left -= 1) >= 0;
    return !mayBeSame || digestOf(resolve(root, file)) !== digest;
  });
}

/** Of the files that are not open, those that were asked about and left undone. */
export function leftFiles(
  open: readonly string[],
  files: readonly string[],
  settled: readonly Proof[],
): readonly string[] {
  const left = new Set(settled.filter((proof) => proof.settled === "left").map(({ file }) => file));
  return left.size === 0 ? [] : files.filter((file) => left.has(file) && !open.includes(file));
}

/** What is remembered about settled files; for a few small ones also the content. */
export function proofsOf(
  root: string,
  { files, marks, ...rest }: { files: readonly string[]; marks: Marks } & Pick<Proof, "settled" | "at">,
): readonly Proof[] {
  return files.map((file, index) => {
    const mark = marks.get(file) ?? "";
    const digest = index < MAX_READ ? digestOf(resolve(root, file)) : null;
    // A file that was written meanwhile has not been judged.
    const isSame = digest !== null && markOf(resolve(root, file)) === mark;
    return { file, mark: isSame ? `${mark} ${digest}` : mark, ...rest };
  });
}

function sizeIn(mark: string | undefined): string | undefined {
  return mark?.split(":")[0];
}

const MAX_READ = 20;
const MAX_BYTES = 256 * 1024;

/** Two checksums of a small file's content: nothing secret depends on them, and better ones take longer to load. */
function digestOf(path: string): string | null {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) return null;
    let [one, two] = [0x811c9dc5, 0x9e3779b9];
    for (const byte of readFileSync(path)) {
      one = Math.imul(one ^ byte, 0x01000193);
      two = Math.imul(two + byte, 0x85ebca6b) ^ (two >>> 13);
    }
    return `${(one >>> 0).toString(16)}${(two >>> 0).toString(16)}`;
  } catch {
    return null;
  }
}

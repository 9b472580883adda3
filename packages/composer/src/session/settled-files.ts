import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Proof } from "@agent-checkpoint/store";

/** What the contents of files are known by, for files that a stop is about. */
export type Marks = ReadonlyMap<string, string>;

/** A stop about more files is judged without a memory: its cost stays the same. */
const MAX_FILES = 200;

/** Looks at each file once; null if there are too many. */
export function markFiles(root: string, files: readonly string[]): Marks | null {
  return files.length > MAX_FILES ? null : new Map(files.map((file) => [file, markOf(join(root, file))]));
}

/**
 * The files whose content was neither proven nor asked about before.
 * What is settled holds for the very content: it survives a commit, and ends for a file when that file changes.
 */
export function openFiles(files: readonly string[], marks: Marks, settled: readonly Proof[]): readonly string[] {
  const known = new Map(settled.map(({ file, mark }) => [file, mark]));
  return files.filter((file) => known.get(file) !== marks.get(file));
}

/** A program can set the time of modification back, but not the time of change; no content is read at a stop. */
function markOf(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "absent" : `${stats.size}:${stats.ctimeNs}:${stats.ino}`;
}

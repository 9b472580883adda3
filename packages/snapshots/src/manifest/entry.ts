import { byBytes, type BytePath } from "../paths/byte-path.ts";

/** What can be at a path, with the letter of the canonical stream, and whether it has contents of its own. */
export const ENTRY_TYPES = [
  { type: "file", letter: "f", hasContent: true },
  { type: "link", letter: "l", hasContent: true },
  { type: "directory", letter: "d", hasContent: false },
  { type: "absent", letter: "-", hasContent: false },
  { type: "value", letter: "v", hasContent: true },
  { type: "database", letter: "b", hasContent: true },
] as const;

export type EntryType = (typeof ENTRY_TYPES)[number]["type"];

/** One path as it was: what it was, its permissions, its size and the SHA-256 of its contents; `absent` is a recorded absence. */
export interface Entry {
  readonly path: BytePath;
  readonly type: EntryType;
  /** The permission bits; 0 if there are none. */
  readonly mode: number;
  readonly size: number;
  readonly oid: string | null;
}

/** Whether two entries stand for the same state. */
export function isSameState(a: Entry, b: Entry): boolean {
  return a.type === b.type && a.mode === b.mode && a.size === b.size && a.oid === b.oid;
}

/** The record that nothing is at a path. */
export function absentAt(path: BytePath): Entry {
  return { path, type: "absent", mode: 0, size: 0, oid: null };
}

/** In the order of the canonical stream. */
export function byPath(a: Entry, b: Entry): number {
  return byBytes(a.path, b.path);
}

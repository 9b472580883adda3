import { createHash } from "node:crypto";
import { ENTRY_TYPES, type Entry, type EntryType } from "./entry.ts";

/**
 * The canonical stream of a state, whose SHA-256 is the hash of a checkpoint:
 * a first line, then for every path in byte order
 * `<bytes in path>:<path> NUL <type letter> NUL <mode, four octal digits> NUL <size> NUL <oid or -> LF`.
 */
export function renderStream(entries: readonly Entry[]): Buffer {
  let text = FIRST_LINE;
  for (const { path, type, mode, size, oid } of entries) {
    text += `${path.length}:${path}\0${LETTER_OF[type]}\0${mode.toString(8).padStart(4, "0")}\0${size}\0${oid ?? "-"}\n`;
  }
  return Buffer.from(text, "latin1");
}

/** The entries of a canonical stream, or null if it is none. */
export function parseStream(bytes: Buffer): readonly Entry[] | null {
  const text = bytes.toString("latin1");
  if (!text.startsWith(FIRST_LINE)) return null;
  const entries: Entry[] = [];
  for (let at = FIRST_LINE.length; at < text.length;) {
    const colon = text.indexOf(":", at);
    const length = Number(text.slice(at, colon));
    const end = text.indexOf("\n", colon + 1 + length);
    if (colon === -1 || end === -1 || !Number.isSafeInteger(length)) return null;
    const path = text.slice(colon + 1, colon + 1 + length);
    const [nothing, letter = "", mode = "", size = "", oid = ""] = text.slice(colon + 1 + length, end).split("\0");
    const type = TYPE_OF[letter];
    if (nothing !== "" || type === undefined || oid === "" || !isSafe(path, type)) return null;
    entries.push({
      path,
      type,
      mode: Number.parseInt(mode, 8),
      size: Number(size),
      oid: oid === "-" ? null : oid,
    });
    at = end + 1;
  }
  return entries;
}

/** The hash of a state: the SHA-256 of its canonical stream. */
export function hashEntries(entries: readonly Entry[]): string {
  return createHash("sha256").update(renderStream(entries)).digest("hex");
}

/** Whether a path stays below its root; keys of a state are no paths. */
function isSafe(path: string, type: EntryType): boolean {
  if (type === "value" || type === "database") return true;
  return path !== "" && !UNSAFE.test(path);
}

/** A part that is empty, climbs, or belongs to git. */
const UNSAFE = /(?:^|\/)(?:\.git|\.{0,2})(?:\/|$)/;
const FIRST_LINE = "checkpoint-tree v2\n";
const LETTER_OF = Object.fromEntries(ENTRY_TYPES.map(({ type, letter }) => [type, letter]));
const TYPE_OF: Readonly<Record<string, EntryType>> = Object.fromEntries(
  ENTRY_TYPES.map(({ type, letter }) => [letter, type]),
);

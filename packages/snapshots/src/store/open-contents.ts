import { createHash, hash } from "node:crypto";
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { findInPackIndex, type Place } from "./pack-index.ts";
import type { StoreLayout } from "./store-layout.ts";
import { writeAll } from "./write-whole.ts";

/** The contents in a store, by their SHA-256. */
export interface Contents {
  /** Whether a pack claims to hold it, and is long enough to. */
  readonly has: (sha256: string) => boolean;
  /** The bytes, proven by their hash; null where they are missing or damaged. */
  readonly read: (sha256: string) => Buffer | null;
  /** Copies the bytes into an open file while proving them; false where they are missing or damaged. */
  readonly copy: (sha256: string, file: number) => boolean;
  /** Whether the bytes are there and have this hash. */
  readonly isWhole: (sha256: string) => boolean;
  readonly close: () => void;
}

interface Pack {
  readonly path: string;
  readonly index: Buffer;
  /** The open pack and its length, once it was needed. */
  opened: { readonly file: number; readonly length: number } | null;
}

/** Opens the packs of a store for reading, when the first content is asked for. */
export function openContents(layout: StoreLayout): Contents {
  let opened: readonly Pack[] | null = null;
  const packs = (): readonly Pack[] => (opened ??= listPacks(layout));
  const find = (sha256: string): { readonly pack: Pack; readonly place: Place } | null => {
    // A content may lie in two packs while one of them is being rewritten, so the next is asked where one is short.
    for (const pack of packs()) {
      const place = findInPackIndex(pack.index, sha256);
      if (place !== null && place.offset + place.size <= open(pack).length) return { pack, place };
    }
    return null;
  };
  const each = (sha256: string, take: (chunk: Buffer) => void): boolean => {
    const found = find(sha256);
    if (found === null) return false;
    const digest = createHash("sha256");
    const { file } = open(found.pack);
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(found.place.size, 1)));
    for (let done = 0; done < found.place.size;) {
      const length = readSync(
        file,
        chunk,
        0,
        Math.min(chunk.length, found.place.size - done),
        found.place.offset + done,
      );
      if (length === 0) return false;
      const part = chunk.subarray(0, length);
      digest.update(part);
      take(part);
      done += length;
    }
    return digest.digest("hex") === sha256;
  };
  return {
    has: (sha256) => find(sha256) !== null,
    read: (sha256) => {
      const found = find(sha256);
      if (found === null) return null;
      const bytes = Buffer.alloc(found.place.size);
      const length = readSync(open(found.pack).file, bytes, 0, bytes.length, found.place.offset);
      return length === bytes.length && hash("sha256", bytes) === sha256 ? bytes : null;
    },
    copy: (sha256, file) => each(sha256, (part) => writeAll(file, part)),
    isWhole: (sha256) => each(sha256, () => undefined),
    close: () => {
      for (const pack of opened ?? []) if (pack.opened !== null) closeSync(pack.opened.file);
    },
  };
}

const CHUNK = 1024 * 1024;

function listPacks(layout: StoreLayout): readonly Pack[] {
  return (
    readdirSync(layout.packs)
      .filter((name) => name.endsWith(".idx"))
      .map((name): Pack => {
        const path = join(layout.packs, `${name.slice(0, -4)}.pack`);
        return { path, index: readFileSync(join(layout.packs, name)), opened: null };
      })
      // The largest is the likeliest to hold something, and most of what is asked for is held.
      .sort((a, b) => b.index.length - a.index.length)
  );
}

function open(pack: Pack): { readonly file: number; readonly length: number } {
  if (pack.opened === null) {
    const file = openSync(pack.path, "r");
    pack.opened = { file, length: fstatSync(file).size };
  }
  return pack.opened;
}

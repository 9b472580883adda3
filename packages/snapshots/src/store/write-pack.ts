import { createHash, hash } from "node:crypto";
import { closeSync, ftruncateSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Contents } from "./open-contents.ts";
import { type Place, renderPackIndex } from "./pack-index.ts";
import type { StoreLayout } from "./store-layout.ts";
import { writeDraft } from "./write-whole.ts";

/** Takes new contents into one pack; what the store holds already is not written again. */
export interface PackWriter {
  /** Whether the store, or this pack, holds a content already. */
  readonly has: (sha256: string) => boolean;
  /** Takes bytes whose hash is known. */
  readonly add: (bytes: Buffer, sha256?: string) => string;
  /** Takes what an open file holds from its start, up to a length, without holding it in memory. */
  readonly addFile: (file: number, most: number) => { readonly sha256: string; readonly size: number };
  /** Writes the index and gives what must be flushed, and then named by `settle`, for the pack to exist; nothing without new contents. */
  readonly finish: () => { readonly flush: readonly string[]; readonly settle: () => void };
  readonly abort: () => void;
}

/** Starts a pack; it lies in `tmp` until it is finished. */
export function writePack(layout: StoreLayout, name: string, known: Contents): PackWriter {
  const places = new Map<string, Place>();
  const draft = join(layout.tmp, `${name}.pack`);
  let file: number | null = null;
  let end = 0;
  const opened = (): number => (file ??= openSync(draft, "wx", 0o600));
  const isKnown = (sha256: string): boolean => places.has(sha256) || known.has(sha256);
  const append = (bytes: Buffer, at: number): void => {
    for (let done = 0; done < bytes.length;) {
      done += writeSync(opened(), bytes, done, bytes.length - done, at + done);
    }
  };
  const settle = (sha256: string, size: number): void => {
    places.set(sha256, { offset: end, size });
    end += size;
  };
  const abort = (): void => {
    if (file !== null) closeSync(file);
    file = null;
    rmSync(draft, { force: true });
  };
  return {
    has: isKnown,
    add: (bytes, sha256 = hash("sha256", bytes)) => {
      if (isKnown(sha256)) return sha256;
      append(bytes, end);
      settle(sha256, bytes.length);
      return sha256;
    },
    addFile: (source, most) => {
      const digest = createHash("sha256");
      const chunk = Buffer.allocUnsafe(CHUNK);
      let size = 0;
      for (;;) {
        const length = readSync(source, chunk, 0, Math.min(chunk.length, most - size + 1), size);
        if (length === 0 || size + length > most) break;
        const part = chunk.subarray(0, length);
        digest.update(part);
        append(part, end + size);
        size += length;
      }
      const sha256 = digest.digest("hex");
      if (isKnown(sha256)) ftruncateSync(opened(), end);
      else settle(sha256, size);
      return { sha256, size };
    },
    finish: () => {
      if (places.size === 0) {
        // A file whose contents were known already has left a draft with nothing in it.
        abort();
        return { flush: [], settle: () => undefined };
      }
      // A pack of nothing but an empty content has not been opened yet.
      const pack = opened();
      ftruncateSync(pack, end);
      closeSync(pack);
      file = null;
      const index = writeDraft(join(layout.packs, `${name}.idx`), renderPackIndex(places), layout.tmp);
      return {
        flush: [draft, index],
        settle: () => {
          renameSync(draft, join(layout.packs, `${name}.pack`));
          // Readers look for indexes, so a pack without one is not there yet.
          renameSync(index, join(layout.packs, `${name}.idx`));
        },
      };
    },
    abort,
  };
}

const CHUNK = 1024 * 1024;

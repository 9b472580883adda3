import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BytePath } from "../paths/byte-path.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { writeWhole } from "../store/write-whole.ts";

/** What was read from a file that had this signature. */
export interface Known {
  readonly signature: string;
  readonly sha256: string;
  readonly lines: number;
}

export type StatCache = ReadonlyMap<BytePath, Known>;

/** What is known of the files below a root; nothing where there is no cache, or none that can be read. */
export function readStatCache(layout: StoreLayout, root: string): StatCache {
  const known = new Map<BytePath, Known>();
  try {
    const fields = readFileSync(cachePath(layout, root), "latin1").split("\0");
    if (fields[0] !== FORMAT) return known;
    for (let at = 1; at + 3 < fields.length; at += 4) {
      known.set(fields[at] ?? "", {
        signature: fields[at + 1] ?? "",
        sha256: fields[at + 2] ?? "",
        lines: Number(fields[at + 3]),
      });
    }
  } catch {
    // A cache that cannot be read is an empty one.
  }
  return known;
}

/** Keeps what is known for the next time. */
export function writeStatCache(layout: StoreLayout, root: string, cache: StatCache): void {
  const rows = [...cache].map(([path, { signature, sha256, lines }]) => `${path}\0${signature}\0${sha256}\0${lines}\0`);
  writeWhole(cachePath(layout, root), Buffer.from(`${FORMAT}\0${rows.join("")}`, "latin1"), {
    tmp: layout.tmp,
    isFlushed: false,
  });
}

const FORMAT = "stat-cache v1";

function cachePath(layout: StoreLayout, root: string): string {
  return join(layout.cache, `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.stat`);
}

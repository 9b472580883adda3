import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { packLength } from "./pack-index.ts";
import { readInParts } from "./read-in-parts.ts";
import type { StoreLayout } from "./store-layout.ts";

/** Whether every pack of a store is there, as long as its index says. */
export function arePacksComplete({ packs }: StoreLayout): boolean {
  return readdirSync(packs)
    .filter((name) => name.endsWith(".idx"))
    .every((name) => {
      const pack = statSync(join(packs, `${name.slice(0, -4)}.pack`), { throwIfNoEntry: false });
      let length = 0;
      readInParts(join(packs, name), (rows) => {
        length = Math.max(length, packLength(rows));
      });
      return pack !== undefined && pack.size >= length;
    });
}

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openContents } from "../store/open-contents.ts";
import { listPackIndex } from "../store/pack-index.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { writePack } from "../store/write-pack.ts";
import { flushTogether } from "../store/write-whole.ts";

/** What became of a pack: nothing, as all of it is needed; it may go; or it must stay, as what is needed of it cannot be read. */
export type SavedPack = "needed" | "spent" | "damaged";

/** Copies what is needed of a pack into a new one, where something in it is not. */
export async function saveNeeded(layout: StoreLayout, name: string, needed: ReadonlySet<string>): Promise<SavedPack> {
  const contained = listPackIndex(readFileSync(join(layout.packs, `${name}.idx`)));
  const live = contained.filter(({ sha256 }) => needed.has(sha256));
  if (live.length === contained.length) return "needed";
  if (live.length === 0) return "spent";
  const contents = openContents(layout);
  const pack = writePack(layout, `kept-${randomBytes(8).toString("hex")}`, { ...contents, has: () => false });
  try {
    for (const { sha256 } of live) {
      const bytes = contents.read(sha256);
      if (bytes === null) {
        pack.abort();
        return "damaged";
      }
      pack.add(bytes, sha256);
    }
    const { flush, settle } = pack.finish();
    await flushTogether(flush);
    settle();
    await flushTogether([layout.packs]);
    return "spent";
  } catch (error) {
    pack.abort();
    throw error;
  } finally {
    contents.close();
  }
}

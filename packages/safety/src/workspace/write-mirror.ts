import { existsSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encodePath } from "../paths/byte-path.ts";
import { type Checkpoint, treePath } from "../store/load-checkpoint.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { writeWhole } from "../store/write-whole.ts";
import { appendLine } from "./append-line.ts";
import { ensureOwnFolder } from "./ensure-own-folder.ts";

/** Mirrors a checkpoint into its workspace, for people and tools to read; the store stays the authority. Null, or why not. */
export function writeMirror(checkpoint: Checkpoint, layout: StoreLayout): string | null {
  const { manifest } = checkpoint;
  try {
    const folder = ensureOwnFolder(manifest.root, MIRROR);
    if (folder === null) return `\`${MIRROR}\` is no folder, so there is no mirror in it.`;
    const own = join(folder, manifest.id);
    const found = lstatSync(own, { throwIfNoEntry: false });
    if (found === undefined) mkdirSync(own, { mode: 0o700 });
    else if (!found.isDirectory()) return `\`${MIRROR}/${manifest.id}\` is no folder, so there is no mirror in it.`;
    const path = join(own, "manifest.json");
    if (!existsSync(path)) writeWhole(path, renderMirror(checkpoint, layout), { isFlushed: false });
    if (!readMirrorLog(manifest.root).includes(manifest.id))
      appendLine(
        join(folder, LOG),
        `${manifest.createdAt}: Checkpoint created successfully | ${manifest.id} | ${manifest.type} | ${manifest.tree}`,
      );
    return null;
  } catch (error) {
    return `The mirror in ${MIRROR} could not be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The mirror's folder, and the list of what was ever in it. */
export const MIRROR = ".checkpoints";
export const LOG = "checkpoint-manifest.log";

/** The mirror's log; empty where there is none. */
export function readMirrorLog(root: string): string {
  try {
    return readFileSync(join(root, MIRROR, LOG), "utf8");
  } catch {
    return "";
  }
}

/**
 * A manifest with its entries and where the store has them. Of a large tree they are left there: a hundred thousand are
 * 25 MB of JSON, which every checkpoint of an unchanged tree would write anew.
 */
function renderMirror(checkpoint: Checkpoint, layout: StoreLayout): string {
  const { manifest } = checkpoint;
  const entries =
    manifest.counts.entries > MOST_ENTRIES
      ? null
      : checkpoint.entries.map((entry) => ({
          ...entry,
          path: encodePath(entry.path),
          mode: entry.mode.toString(8).padStart(4, "0"),
        }));
  return `${JSON.stringify({ ...manifest, entries, entriesIn: treePath(layout, manifest.tree) }, null, 2)}\n`;
}

const MOST_ENTRIES = 2000;

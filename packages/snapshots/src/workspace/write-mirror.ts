import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ensureFolder } from "../files/ensure-folder.ts";
import { encodePath } from "../paths/byte-path.ts";
import { type Checkpoint, treePath } from "../store/load-checkpoint.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { writeWhole } from "../store/write-whole.ts";
import { appendLine } from "./append-line.ts";
import { ensureOwnFolder } from "./ensure-own-folder.ts";

/**
 * Mirrors a checkpoint into its workspace, for people and tools to read; the store stays the authority. Null, or why not.
 * The log gets a line for it unless the text of it that is given has one: with the years it grows, and is not read for a
 * checkpoint that is new.
 */
export function writeMirror(checkpoint: Checkpoint, layout: StoreLayout, log = ""): string | null {
  const { manifest } = checkpoint;
  try {
    const folder = ensureOwnFolder(manifest.root, MIRROR);
    if (folder === null) return `\`${MIRROR}\` is no folder, so there is no mirror in it.`;
    const own = join(folder, manifest.id);
    if (!ensureFolder(own).isDirectory())
      return `\`${MIRROR}/${manifest.id}\` is no folder, so there is no mirror in it.`;
    const path = join(own, "manifest.json");
    if (!existsSync(path)) writeWhole(path, renderMirror(checkpoint, layout), { isFlushed: false });
    if (!log.includes(manifest.id))
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

/** Whether there is nothing of a mirror, as before the first checkpoint or after `git clean -fdx`. */
export function isMirrorGone(root: string): boolean {
  try {
    return statSync(join(root, MIRROR, LOG)).size === 0;
  } catch {
    return true;
  }
}

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
export function renderMirror(checkpoint: Checkpoint, layout: StoreLayout): string {
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

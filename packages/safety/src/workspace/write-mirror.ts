import { existsSync, lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { encodePath } from "../paths/byte-path.ts";
import type { Checkpoint } from "../store/load-checkpoint.ts";
import { writeWhole } from "../store/write-whole.ts";
import { appendLine } from "./append-line.ts";
import { ensureOwnFolder } from "./ensure-own-folder.ts";

/** Mirrors a checkpoint into the workspace, for people and tools to read; the store stays the authority. Null, or why not. */
export function writeMirror(checkpoint: Checkpoint): string | null {
  const { manifest } = checkpoint;
  try {
    const folder = ensureOwnFolder(manifest.root, ".checkpoints");
    if (folder === null) return "`.checkpoints` is no folder, so there is no mirror in it.";
    const own = join(folder, manifest.id);
    if (existsSync(join(own, "manifest.json"))) return null;
    if (lstatSync(own, { throwIfNoEntry: false }) === undefined) mkdirSync(own, { mode: 0o700 });
    writeWhole(join(own, "manifest.json"), renderMirror(checkpoint), { isFlushed: false });
    appendLine(
      join(folder, "checkpoint-manifest.log"),
      `${manifest.createdAt}: Checkpoint created successfully | ${manifest.id} | ${manifest.type} | ${manifest.tree}`,
    );
    return null;
  } catch (error) {
    return `The mirror in .checkpoints could not be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A manifest with its entries; from some thousands on the entries are left to the store. */
function renderMirror(checkpoint: Checkpoint): string {
  const { manifest } = checkpoint;
  const shown =
    manifest.counts.entries > MOST_ENTRIES
      ? null
      : checkpoint.entries.map((entry) => ({
          ...entry,
          path: encodePath(entry.path),
          mode: entry.mode.toString(8).padStart(4, "0"),
        }));
  return `${JSON.stringify({ ...manifest, entries: shown }, null, 2)}\n`;
}

const MOST_ENTRIES = 2000;

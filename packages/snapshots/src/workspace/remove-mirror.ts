import { lstatSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "../manifest/manifest.ts";
import { appendLine } from "./append-line.ts";
import { LOG, MIRROR } from "./write-mirror.ts";

/** Takes the mirror of a deleted checkpoint away, and says so in the mirror's log; a mirror out of reach stays. */
export function removeMirror({ id, root, type, tree }: Manifest, now: Date): void {
  const own = join(root, MIRROR, id);
  try {
    for (const folder of [join(root, MIRROR), own])
      if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
    rmSync(join(own, "manifest.json"), { force: true });
    rmdirSync(own);
    appendLine(join(root, MIRROR, LOG), `${now.toISOString()}: Checkpoint deleted | ${id} | ${type} | ${tree}`);
  } catch {
    // Somebody has put something of theirs there, or the workspace is read-only.
  }
}

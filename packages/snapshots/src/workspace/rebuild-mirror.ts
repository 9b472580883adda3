import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../place.ts";
import { listManifests, loadTree } from "../store/load-checkpoint.ts";
import { MIRROR, readMirrorLog, writeMirror } from "./write-mirror.ts";

/** Writes what is missing of a workspace's mirror, as after `git clean -fdx`; what cannot be written is left. Null, or why not. */
export function rebuildMirror({ layout, root }: Pick<Place, "layout" | "root">): string | null {
  const log = readMirrorLog(root);
  const problems = listManifests(layout).map((found) => {
    if ("damage" in found || found.manifest.root !== root) return null;
    const { id, manifest } = found;
    if (log.includes(id) && existsSync(join(root, MIRROR, id, "manifest.json"))) return null;
    const checkpoint = {
      manifest,
      get entries() {
        return loadTree(layout, manifest);
      },
    };
    return writeMirror(checkpoint, layout, log);
  });
  return problems.find((problem) => problem !== null) ?? null;
}

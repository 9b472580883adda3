import type { Place } from "../place.ts";
import type { Checkpoint } from "../store/load-checkpoint.ts";
import { rebuildMirror } from "./rebuild-mirror.ts";
import { isMirrorGone, writeMirror } from "./write-mirror.ts";

/** Mirrors a new checkpoint, and all others of its workspace where their mirror is gone. Null, or why not. */
export function mirrorCheckpoint(checkpoint: Checkpoint, place: Pick<Place, "layout" | "root">): string | null {
  const isGone = isMirrorGone(place.root);
  return writeMirror(checkpoint, place.layout) ?? (isGone ? rebuildMirror(place) : null);
}

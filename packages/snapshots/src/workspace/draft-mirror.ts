import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../place.ts";
import type { Checkpoint } from "../store/load-checkpoint.ts";
import { mirrorCheckpoint } from "./mirror-checkpoint.ts";
import { MIRROR, renderMirror } from "./write-mirror.ts";

/** What the name of a draft has behind the id. */
export const MIRROR_DRAFT = ".mirror";

/** The mirror of a checkpoint that does not exist yet. */
export interface MirrorDraft {
  /** Mirrors the checkpoint, now that it exists. Null, or why not. */
  readonly settle: () => string | null;
  readonly discard: () => void;
}

/**
 * Makes a mirror ready in the store, so that it only needs to be moved when the checkpoint exists.
 * Where that is not possible, as onto another disk, it is written then like any other.
 */
export function draftMirror(checkpoint: Checkpoint, place: Pick<Place, "layout" | "root">): MirrorDraft {
  const { id } = checkpoint.manifest;
  const draft = join(place.layout.tmp, `${id}${MIRROR_DRAFT}`);
  const isDrafted = write(draft, () => renderMirror(checkpoint, place.layout));
  const discard = (): void => rmSync(draft, { recursive: true, force: true });
  return {
    settle: () => {
      if (!isDrafted || !isMoved(draft, place.root, id)) discard();
      return mirrorCheckpoint(checkpoint, place);
    },
    discard,
  };
}

function write(draft: string, render: () => string): boolean {
  try {
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(join(draft, "manifest.json"), render(), { mode: 0o600 });
    return true;
  } catch {
    // What is wrong shows when it is written in its place.
    return false;
  }
}

/** Moves a mirror into its place if the folder for it is there, and no link. */
function isMoved(draft: string, root: string, id: string): boolean {
  try {
    if (lstatSync(join(root, MIRROR), { throwIfNoEntry: false })?.isDirectory() !== true) return false;
    renameSync(draft, join(root, MIRROR, id));
    return true;
  } catch {
    return false;
  }
}

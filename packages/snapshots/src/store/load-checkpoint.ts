import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseStream } from "../manifest/canonical-stream.ts";
import { isId } from "../manifest/checkpoint-id.ts";
import type { Entry } from "../manifest/entry.ts";
import { type Manifest, parseManifest } from "../manifest/manifest.ts";
import { SafetyError } from "../trouble.ts";
import { checkpointFolder, type StoreLayout } from "./store-layout.ts";

/** A checkpoint as the store holds it. */
export interface Checkpoint {
  readonly manifest: Manifest;
  readonly entries: readonly Entry[];
}

/** What lies under an id: a manifest, or the reason why it cannot be trusted. */
export type FoundManifest =
  | { readonly id: string; readonly manifest: Manifest; readonly isPinned: boolean }
  | { readonly id: string; readonly damage: string };

/** Loads a checkpoint; an edited manifest or a damaged tree is refused. */
export function loadCheckpoint(layout: StoreLayout, id: string): Checkpoint {
  const found = readManifest(layout, id);
  if ("damage" in found)
    throw new SafetyError("damaged", `${id}: ${found.damage}.`, "Run `checkpoint snapshot verify` for the others.");
  return { manifest: found.manifest, entries: loadTree(layout, found.manifest) };
}

/** The entries of a manifest, proven by their hash. */
export function loadTree(layout: StoreLayout, { id, tree }: Pick<Manifest, "id" | "tree">): readonly Entry[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(treePath(layout, tree));
  } catch {
    throw new SafetyError("damaged", `${id}: its tree is missing.`);
  }
  const entries = `sha256:${createHash("sha256").update(bytes).digest("hex")}` === tree ? parseStream(bytes) : null;
  if (entries === null) throw new SafetyError("damaged", `${id}: its tree does not have its hash.`);
  return entries;
}

/** What lies under an id; an id without a checkpoint is refused. */
export function readManifest(layout: StoreLayout, id: string): FoundManifest {
  const folder = checkpointFolder(layout, id);
  if (!existsSync(folder)) {
    throw new SafetyError(
      "unknown-checkpoint",
      `There is no checkpoint ${id} in ${layout.folder}.`,
      "See `checkpoint snapshot list`.",
    );
  }
  try {
    const manifest = parseManifest(readFileSync(join(folder, MANIFEST), "utf8"));
    if (manifest === null || manifest.id !== id) return { id, damage: "its manifest was edited or torn" };
    return { id, manifest, isPinned: existsSync(join(folder, PINNED)) };
  } catch {
    return { id, damage: "its manifest cannot be read" };
  }
}

/** Everything in a store, the oldest first. */
export function listManifests(layout: StoreLayout): readonly FoundManifest[] {
  if (!existsSync(layout.checkpoints)) return [];
  return readdirSync(layout.checkpoints)
    .filter(isId)
    .map((id) => readManifest(layout, id))
    .sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
}

/** The time that a checkpoint was made; an id tells it too, to the second. */
function timeOf(found: FoundManifest): string {
  if ("manifest" in found) return found.manifest.createdAt;
  return found.id.replace(/^chk_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)_.*$/, "$1-$2-$3T$4:$5:$6");
}

/** Where the tree of a hash lies. */
export function treePath(layout: StoreLayout, tree: string): string {
  const [, hash] = /^sha256:([0-9a-f]{64})$/.exec(tree) ?? [];
  if (hash === undefined) throw new SafetyError("damaged", "A manifest names a tree by no hash.");
  return join(layout.trees, hash);
}

export const MANIFEST = "manifest.json";
export const PINNED = "pinned";

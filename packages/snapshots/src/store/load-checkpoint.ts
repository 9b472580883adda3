import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseStream } from "../manifest/canonical-stream.ts";
import { isId } from "../manifest/checkpoint-id.ts";
import type { Entry } from "../manifest/entry.ts";
import { type Manifest, parseManifest } from "../manifest/manifest.ts";
import { SafetyError } from "../trouble.ts";
import { type Contents, openContents } from "./contents.ts";
import { refOf, refsOf, type StoreLayout } from "./store-layout.ts";

/** A checkpoint as the store holds it. */
export interface Checkpoint {
  readonly manifest: Manifest;
  readonly entries: readonly Entry[];
}

/** What lies under an id: a manifest, or the reason why it cannot be trusted. */
export type FoundManifest =
  | { readonly id: string; readonly manifest: Manifest; readonly isPinned: boolean }
  | { readonly id: string; readonly damage: string };

/** Where the tree of a snapshot has its canonical stream, among files that are never captured. */
export const ENTRIES = ".checkpoints/entries";

/** Loads a checkpoint; a damaged one is refused. */
export async function loadCheckpoint(layout: StoreLayout, id: string, contents: Contents): Promise<Checkpoint> {
  const found = await readManifest(layout, id, contents);
  if ("damage" in found)
    throw new SafetyError("damaged", `${id}: ${found.damage}.`, "Run `checkpoint snapshot verify` for the others.");
  return { manifest: found.manifest, entries: await loadEntries(found.manifest, contents) };
}

/** The entries of a manifest, proven by their hash. */
export async function loadEntries({ id, tree }: Manifest, contents: Contents): Promise<readonly Entry[]> {
  const bytes = await contents.object(`${refOf(id)}:${ENTRIES}`, "blob");
  if (bytes === null) throw new SafetyError("damaged", `${id}: its entries are missing or damaged.`);
  const entries = `sha256:${createHash("sha256").update(bytes).digest("hex")}` === tree ? parseStream(bytes) : null;
  if (entries === null) throw new SafetyError("damaged", `${id}: its entries do not have their hash.`);
  return entries;
}

/** What lies under an id; an id without a checkpoint is refused. */
export async function readManifest(layout: StoreLayout, id: string, contents: Contents): Promise<FoundManifest> {
  refuseUnknown(layout, id);
  const commit = (await contents.object(refOf(id), "commit"))?.toString("utf8") ?? null;
  if (commit === null) return { id, damage: "its manifest cannot be read" };
  // The headers of a commit, its subject and its text are parted by empty lines.
  const manifest = parseManifest(commit.split("\n\n").slice(2).join("\n\n"));
  if (manifest === null || manifest.id !== id) return { id, damage: "its manifest was edited or torn" };
  return { id, manifest, isPinned: existsSync(join(layout.pins, id)) };
}

/** Refuses an id that no snapshot has. */
export function refuseUnknown(layout: StoreLayout, id: string): void {
  if (refOf(id) !== "" && existsSync(join(refsOf(layout), id))) return;
  throw new SafetyError(
    "unknown-checkpoint",
    `There is no snapshot ${id} in ${layout.folder}.`,
    "See `checkpoint snapshot list`.",
  );
}

/** Everything in a store, in the order of its making. */
export async function listManifests(layout: StoreLayout, contents?: Contents): Promise<readonly FoundManifest[]> {
  const ids = listIds(layout);
  if (ids.length === 0) return [];
  const opened = contents ?? openContents(layout);
  try {
    const found: FoundManifest[] = [];
    for (const id of ids) found.push(await readManifest(layout, id, opened));
    // A damaged one does not say when it was made, but its id does, to the second.
    return found.sort((a, b) => orderOf(a) - orderOf(b) || (a.id < b.id ? -1 : 1));
  } finally {
    if (contents === undefined) opened.close();
  }
}

function orderOf(found: FoundManifest): number {
  return "manifest" in found ? found.manifest.sequence : 0;
}

/** The ids in a store, by their names. */
export function listIds(layout: StoreLayout): readonly string[] {
  return existsSync(refsOf(layout)) ? readdirSync(refsOf(layout)).filter(isId).sort() : [];
}

import type { Context } from "../context.ts";
import { createLooker } from "../files/look-at.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { BytePath } from "../paths/byte-path.ts";
import { isOfPlace } from "../place.ts";
import type { Contents } from "../store/contents.ts";
import { listManifests, loadCheckpoint, loadEntries } from "../store/load-checkpoint.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { troubleOf } from "../trouble.ts";
import { readRestores } from "../writes/restore-times.ts";
import { readWrites } from "../writes/read-writes.ts";
import { type ForeignChange, foreignChanges, type PastRestore } from "./foreign-changes.ts";
import type { PreparedRestore } from "./prepare-restore.ts";
import type { RestoreRequest } from "./restore-checkpoint.ts";

/** What someone else has changed, and whether anything is known at all about who changed what. */
export interface Foreign {
  readonly changes: readonly ForeignChange[];
  readonly isKnown: boolean;
}

/** Finds the changes of a plan that are not the agent's, from everything that is recorded and that the caller knows. */
export async function findForeign(
  { checkpoint: { manifest }, plan }: PreparedRestore,
  { activityOf }: Pick<RestoreRequest, "activityOf">,
  context: Context,
  contents: Contents,
): Promise<Foreign> {
  if (plan.changes.length === 0) return { changes: [], isKnown: true };
  const { layout, root } = context.place;
  // Times and writes are those of files.
  const { isOfFiles } = kindOf(manifest.type, context);
  const writes = readWrites(layout, root).filter(({ at }) => isOfFiles && at >= manifest.createdAt);
  const activity = isOfFiles ? ((await activityOf?.(manifest)) ?? null) : null;
  const changes = foreignChanges(plan.changes, {
    checkpointAt: new Date(manifest.createdAt),
    writes,
    claimed: await claimedByOthers(manifest, context, contents),
    activity,
    restores: isOfFiles ? await pastRestores(context, contents) : [],
    timesOf: isOfFiles ? timesBelow(root) : () => [],
  });
  return { changes, isKnown: writes.length > 0 || activity !== null };
}

/** What other sessions have made checkpoints of since, as one does before changing it. */
async function claimedByOthers(
  { sequence, session }: Manifest,
  { place }: Context,
  contents: Contents,
): Promise<ReadonlyMap<BytePath, string>> {
  const claimed = new Map<BytePath, string>();
  for (const found of await listManifests(place.layout, contents)) {
    if ("damage" in found) continue;
    const { manifest: other } = found;
    const isClaim = isOfPlace(other, place) && other.sequence > sequence && other.purpose === "asked";
    if (!isClaim || other.session === null || other.session === session) continue;
    for (const { path, type } of await loadEntries(other, contents))
      if (type !== "directory") claimed.set(path, other.id);
  }
  return claimed;
}

/** The restores below the root. The undo snapshot shows what one touched; without it, that is unknown. */
async function pastRestores({ place: { layout, root } }: Context, contents: Contents): Promise<readonly PastRestore[]> {
  const restores: PastRestore[] = [];
  for (const { from, to, undo } of readRestores(layout, root)) {
    const touched = await pathsOf(layout, undo, contents);
    restores.push({ from, to, hasTouched: (path) => touched.has(path) });
  }
  return restores;
}

async function pathsOf(layout: StoreLayout, id: string, contents: Contents): Promise<ReadonlySet<BytePath>> {
  try {
    return new Set((await loadCheckpoint(layout, id, contents)).entries.map(({ path }) => path));
  } catch (error) {
    if (troubleOf(error) === null) throw error;
    return new Set();
  }
}

/** When the contents of a path, and the path itself, were last changed. */
function timesBelow(root: string): (path: BytePath) => readonly Date[] {
  const { look } = createLooker(root);
  return (path) => {
    const stats = look(path);
    return stats === null ? [] : [stats.mtimeNs, stats.ctimeNs].map((time) => new Date(Number(time / 1_000_000n)));
  };
}

import type { Context } from "../context.ts";
import { createLooker } from "../files/look-at.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { BytePath } from "../paths/byte-path.ts";
import { listManifests, loadCheckpoint, loadTree } from "../store/load-checkpoint.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { troubleOf } from "../trouble.ts";
import { readRestores } from "../writes/restore-times.ts";
import { readWrites } from "../writes/read-writes.ts";
import { type ForeignChange, foreignChanges, type PastRestore } from "./foreign-changes.ts";
import type { PreparedRestore } from "./prepare-restore.ts";
import type { RestoreRequest } from "./restore-checkpoint.ts";

/** What somebody else has changed, and whether anything is known at all about who changed what. */
export interface Foreign {
  readonly changes: readonly ForeignChange[];
  readonly isKnown: boolean;
}

/** Finds the changes of a plan that are not the agent's, from everything that is recorded and that the caller knows. */
export async function findForeign(
  { checkpoint: { manifest }, plan }: PreparedRestore,
  { activityOf }: Pick<RestoreRequest, "activityOf">,
  context: Context,
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
    claimed: claimedByOthers(manifest, context),
    activity,
    restores: isOfFiles ? pastRestores(context) : [],
    timesOf: isOfFiles ? timesBelow(root) : () => [],
  });
  return { changes, isKnown: writes.length > 0 || activity !== null };
}

/** What other sessions have made checkpoints of since, as one does before changing it. */
function claimedByOthers({ createdAt, session }: Manifest, { place }: Context): ReadonlyMap<BytePath, string> {
  const { layout, root } = place;
  const others = listManifests(layout)
    .flatMap((found) => ("damage" in found ? [] : [found.manifest]))
    .filter((other) => other.root === root && other.createdAt > createdAt && other.purpose === "asked")
    .filter((other) => other.session !== null && other.session !== session);
  return new Map(
    others.flatMap((other) =>
      loadTree(layout, other)
        .filter(({ type }) => type !== "directory")
        .map(({ path }) => [path, other.id] as const),
    ),
  );
}

/** The restores made below the root. What one touched is told by its undo checkpoint; where that is gone, nobody knows. */
function pastRestores({ place: { layout, root } }: Context): readonly PastRestore[] {
  return readRestores(layout, root).map(({ from, to, undo }) => {
    let touched: ReadonlySet<BytePath> | null = null;
    return { from, to, hasTouched: (path) => (touched ??= pathsOf(layout, undo)).has(path) };
  });
}

function pathsOf(layout: StoreLayout, id: string): ReadonlySet<BytePath> {
  try {
    return new Set(loadCheckpoint(layout, id).entries.map(({ path }) => path));
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

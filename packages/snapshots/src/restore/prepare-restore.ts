import { existsSync } from "node:fs";
import type { Context } from "../context.ts";
import { sortScope } from "../files/sort-scope.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { Look } from "../kinds/kind.ts";
import type { Entry } from "../manifest/entry.ts";
import { type BytePath, decodePath, encodePath, isWithin } from "../paths/byte-path.ts";
import { pathOfItem } from "../request/item-path.ts";
import { parseScope } from "../request/parse-scope.ts";
import { type Checkpoint, loadCheckpoint } from "../store/load-checkpoint.ts";
import { openContents } from "../store/open-contents.ts";
import { SafetyError } from "../trouble.ts";
import { planRestore, type RestorePlan } from "./plan-restore.ts";
import type { RestoreRequest } from "./restore-checkpoint.ts";

/** A restore of which everything is known before the first write. */
export interface PreparedRestore {
  readonly checkpoint: Checkpoint;
  /** The entries that are in the scope of this restore. */
  readonly wanted: readonly Entry[];
  readonly look: Look;
  readonly plan: RestorePlan;
}

/** Everything that can be found out, and refused, without writing. */
export async function prepareRestore(request: RestoreRequest, context: Context): Promise<PreparedRestore> {
  const { place, limits } = context;
  const checkpoint = loadCheckpoint(place.layout, request.id);
  const { manifest } = checkpoint;
  if (manifest.root !== place.root) {
    throw new SafetyError(
      "bad-input",
      `${manifest.id} is of \`${manifest.root}\`, not of \`${place.root}\`.`,
      `Give --root ${manifest.root}, or --into a folder.`,
    );
  }
  if (manifest.expiresAt !== null && new Date(manifest.expiresAt) <= context.now() && request.allowExpired !== true) {
    throw new SafetyError(
      "expired",
      `${manifest.id} expired at ${manifest.expiresAt}.`,
      "Its contents are still there: give --allow-expired.",
    );
  }
  const isWanted = scopeFilter(request.scope, context);
  const wanted = checkpoint.entries.filter(({ path }) => isWanted(path));
  if (wanted.length === 0) throw new SafetyError("nothing-matched", "Nothing of the checkpoint is in that scope.");
  verifyContents(checkpoint, wanted, context);
  const found = await kindOf(manifest.type, context).look({ place, manifest, entries: checkpoint.entries, limits });
  const look: Look = {
    now: found.now.filter(({ path }) => isWanted(path)),
    appeared: found.appeared.filter(({ path }) => isWanted(path)),
  };
  const areas = manifest.scope.flatMap((item) => (item.kind === "path" ? [decodePath(item.path)] : []));
  const isInArea = (path: BytePath): boolean =>
    isWanted(path) && areas.some((area) => path !== area && isWithin(path, area));
  return {
    checkpoint,
    wanted,
    look,
    plan: planRestore(wanted, look, { removeNew: request.removeNew === true, isInArea }),
  };
}

/** Refuses where nothing was ever made. */
export function refuseWithoutStore({ place: { layout } }: Context): void {
  if (existsSync(layout.checkpoints)) return;
  throw new SafetyError("unknown-checkpoint", `There is no store at ${layout.folder}.`, "Give --root or --store.");
}

function scopeFilter(scope: readonly string[] | undefined, { place }: Context): (path: BytePath) => boolean {
  if (scope === undefined || scope.length === 0) return () => true;
  const items = parseScope(scope, place);
  const { named, folders, globs } = sortScope(place.root, items);
  const others = new Set(items.flatMap((item) => (item.kind === "path" ? [] : [pathOfItem(item)])));
  const tops = [...named, ...folders];
  return (path) =>
    others.has(path) || tops.some((top) => isWithin(path, top)) || globs.some((glob) => glob.matches(path));
}

/** Reads every content that the restore may need, before anything is written. */
function verifyContents({ manifest }: Checkpoint, wanted: readonly Entry[], { place, progress }: Context): void {
  const contents = openContents(place.layout);
  try {
    for (const [index, { path, sha256 }] of wanted.entries()) {
      if (index % 256 === 0) progress({ step: "verifying", done: index, total: wanted.length });
      if (sha256 !== null && !contents.isWhole(sha256)) {
        throw new SafetyError(
          "damaged",
          `${manifest.id}: the contents of \`${encodePath(path)}\` are missing or damaged.`,
          "Nothing was changed. Restore the rest with --scope.",
        );
      }
    }
  } finally {
    contents.close();
  }
}

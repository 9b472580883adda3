import type { Context } from "../context.ts";
import { sortScope } from "../files/sort-scope.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { Look } from "../kinds/kind.ts";
import type { Entry } from "../manifest/entry.ts";
import { type BytePath, decodePath, encodePath, isWithin } from "../paths/byte-path.ts";
import { pathOfItem } from "../request/item-path.ts";
import { parseScope } from "../request/parse-scope.ts";
import { isOfPlace } from "../place.ts";
import { type Checkpoint, loadCheckpoint } from "../store/load-checkpoint.ts";
import type { Contents } from "../store/contents.ts";
import { hasRepository } from "../store/repository.ts";
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
export async function prepareRestore(
  request: RestoreRequest,
  context: Context,
  contents: Contents,
): Promise<PreparedRestore> {
  const { place } = context;
  const checkpoint = await loadCheckpoint(place.layout, request.id, contents);
  const { manifest } = checkpoint;
  if (!isOfPlace(manifest, place)) {
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
  const found = await kindOf(manifest.type, context).look({ place, manifest, entries: checkpoint.entries });
  const look: Look = {
    now: found.now.filter(({ path }) => isWanted(path)),
    appeared: found.appeared.filter(({ path }) => isWanted(path)),
  };
  refuseUnknownScope(request.scope ?? [], [...wanted, ...look.appeared], context);
  const areas = manifest.scope.flatMap((item) => (item.kind === "path" ? [decodePath(item.path)] : []));
  const isInArea = (path: BytePath): boolean =>
    isWanted(path) && areas.some((area) => path !== area && isWithin(path, area));
  const plan = planRestore(wanted, look, { removeNew: request.removeNew === true, isInArea });
  await verifyContents(checkpoint, plan, { contents, progress: context.progress });
  return { checkpoint, wanted, look, plan };
}

/** Refuses if there is no store. */
export function refuseWithoutStore({ place: { layout } }: Context): void {
  if (hasRepository(layout)) return;
  throw new SafetyError("unknown-checkpoint", `There is no store at ${layout.folder}.`, "Add --root or --store.");
}

/** Refuses a word of a scope that nothing in the snapshot, and nothing that has appeared since, answers to. */
function refuseUnknownScope(scope: readonly string[], found: readonly Entry[], context: Context): void {
  for (const word of scope) {
    const isWord = scopeFilter([word], context);
    if (found.some(({ path }) => isWord(path))) continue;
    throw new SafetyError(
      "nothing-matched",
      `The snapshot has nothing in the scope \`${word}\`.`,
      "See what it has with `checkpoint snapshot show`.",
    );
  }
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

/** Reads every content that the restore will write, before anything is written. */
async function verifyContents(
  { manifest }: Checkpoint,
  { changes }: RestorePlan,
  { contents, progress }: { readonly contents: Contents; readonly progress: Context["progress"] },
): Promise<void> {
  for (const [done, { to, from }] of changes.entries()) {
    if (done % 256 === 0) progress({ step: "verifying", done, total: changes.length });
    if (to.oid === null || to.oid === from.oid || (await contents.isWhole(to.oid))) continue;
    throw new SafetyError(
      "damaged",
      `${manifest.id}: the contents of \`${encodePath(to.path)}\` are missing or damaged.`,
      "Nothing was changed. Restore the rest with --scope.",
    );
  }
}

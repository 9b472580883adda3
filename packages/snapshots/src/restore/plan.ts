import { accessSync, constants, statfsSync } from "node:fs";
import { errorCode } from "@agent-checkpoint/files";
import type { Change, Look } from "../kinds/kind.ts";
import { findKind } from "../find-kind.ts";
import { absentAt, type Entry, folderAt, isExpired, isSameState } from "../manifest.ts";
import type { Contents } from "../objects.ts";
import {
  type BytePath,
  decodePath,
  diskPath,
  encodePath,
  foldersAbove,
  isWithin,
  isWithinAny,
  nameOf,
  parentOf,
} from "../paths.ts";
import { type Context, isOfPlace } from "../place.ts";
import { createLooker, modeOf } from "../read-files.ts";
import { isListed, parseScope, pathOfItem, sortScope } from "../scope.ts";
import { type Checkpoint, loadCheckpoint } from "../store.ts";
import { SafetyError } from "../trouble.ts";
import type { RestoreRequest } from "./restore-checkpoint.ts";

/** What a restore would do. */
export interface RestorePlan {
  readonly changes: readonly Change[];
  /** What has appeared since and stays. */
  readonly kept: readonly Entry[];
  /** Folders with something in them, in the place of a file: nothing is done while they are there. */
  readonly inTheWay: readonly BytePath[];
}

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
  const { id, root, expiresAt } = manifest;
  if (!isOfPlace(manifest, place))
    throw new SafetyError(
      "bad-input",
      `${id} is of \`${root}\`, not of \`${place.root}\`.`,
      `Give --root ${root}, or --into a folder.`,
    );
  if (isExpired(manifest, context.now()) && request.allowExpired !== true)
    throw new SafetyError(
      "expired",
      `${id} expired at ${expiresAt}.`,
      "Its contents are still there: give --allow-expired.",
    );
  const isWanted = scopeFilter(request.scope ?? [], context);
  const wanted = checkpoint.entries.filter(({ path }) => isWanted(path));
  const found = await findKind(manifest.type).look(manifest, checkpoint.entries, context);
  const look: Look = {
    now: found.now.filter(({ path }) => isWanted(path)),
    appeared: found.appeared.filter(({ path }) => isWanted(path)),
  };
  refuseUnknownScope(request.scope ?? [], [...wanted, ...look.appeared], context);
  const areas = manifest.scope.flatMap((item) => (item.kind === "path" ? [decodePath(item.path)] : []));
  const isInArea = (path: BytePath): boolean =>
    isWanted(path) && areas.some((area) => path !== area && isWithin(path, area));
  const plan = planRestore(wanted, look, { removeNew: request.removeNew === true, isInArea });
  await verifyContents(id, plan, contents, context);
  return { checkpoint, wanted, look, plan };
}

/** Refuses a word of a scope that nothing in the snapshot, and nothing that has appeared since, answers to. */
function refuseUnknownScope(scope: readonly string[], found: readonly Entry[], context: Context): void {
  const unknown = scope.find((word) => !found.some(({ path }) => scopeFilter([word], context)(path)));
  if (unknown === undefined) return;
  const advice = "See what it has with `checkpoint snapshot show`.";
  throw new SafetyError("nothing-matched", `The snapshot has nothing in the scope \`${unknown}\`.`, advice);
}

function scopeFilter(scope: readonly string[], { place }: Context): (path: BytePath) => boolean {
  if (scope.length === 0) return () => true;
  const items = parseScope(scope, place);
  const sorted = sortScope(place.root, items);
  const others = new Set(items.flatMap((item) => (item.kind === "path" ? [] : [pathOfItem(item)])));
  return (path) => others.has(path) || isWithinAny(path, sorted.named) || isListed(path, sorted);
}

/** Reads every content that the restore will write, before anything is written. */
async function verifyContents(
  id: string,
  { changes }: RestorePlan,
  contents: Contents,
  { progress }: Context,
): Promise<void> {
  for (const [done, { to, from }] of changes.entries()) {
    if (done % 256 === 0) progress({ step: "verifying", done, total: changes.length });
    if (to.oid === null || to.oid === from.oid || (await contents.isWhole(to.oid))) continue;
    const what = `${id}: the contents of \`${encodePath(to.path)}\` are missing or damaged.`;
    throw new SafetyError("damaged", what, "Nothing was changed. Restore the rest with --scope.");
  }
}

/** Refuses a restore that needs more room than there is, before anything is written. */
export function refuseFullDisk(changes: readonly Change[], root: string): void {
  const needed = changes.reduce((sum, { from, to }) => sum + from.size + to.size, 0);
  const { bavail, bsize } = statfsSync(root);
  if (bavail * bsize >= needed) return;
  const what = `The restore needs ${needed} bytes, and ${bavail * bsize} are free.`;
  throw new SafetyError("no-space", what, "Make room, or restore in parts with --scope. Nothing was changed.");
}

/** Refuses a restore through a link or into a folder that cannot be written, before anything is. */
export function refuseUnreachable(changes: readonly Change[], root: string): void {
  const { isFolder, look } = createLooker(root);
  const comes = new Set(changes.filter(({ to }) => to.type === "directory").map(({ to }) => to.path));
  for (const folder of new Set(changes.map(({ to }) => parentOf(to.path)))) {
    const way = [folder, ...foldersAbove(folder), ""].filter((path) => !comes.has(path));
    const first = way.find((path) => isFolder(path) || look(path) !== null) ?? "";
    if (!isFolder(first)) {
      const what = `\`${encodePath(first)}\` is no longer a real folder.`;
      throw new SafetyError("in-the-way", what, "Move it away and restore again.");
    }
    if (isReadOnly(diskPath(root, first)))
      throw new SafetyError(
        "not-writable",
        `\`${encodePath(first) || root}\` cannot be written to.`,
        "Nothing was changed.",
      );
  }
}

/** Whether the file system refuses writing; permissions alone can be lent and given back by the owner. */
function isReadOnly(path: string | Buffer): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return errorCode(error) === "EROFS";
  }
}

/** Folders that must be opened for a moment, and get their permissions back: each a change to what it is. */
export function foldersToLoosen(changes: readonly Change[], root: string): readonly Change[] {
  const { look, isFolder } = createLooker(root);
  const changed = new Set(changes.map(({ to }) => to.path));
  return [...new Set(changes.map(({ to }) => parentOf(to.path)))].flatMap((path) => {
    const stats = path !== "" && !changed.has(path) && isFolder(path) ? look(path) : null;
    if (stats === null || (stats.mode & 0o300n) === 0o300n) return [];
    const entry = folderAt(path, modeOf(stats));
    return [{ from: entry, to: entry }];
  });
}

/** Plans a restore: only captured paths change, and files added since are removed only on request. */
function planRestore(
  entries: readonly Entry[],
  { now, appeared }: Look,
  { removeNew, isInArea }: { readonly removeNew: boolean; readonly isInArea: (path: BytePath) => boolean },
): RestorePlan {
  const changes: Change[] = [];
  const inTheWay: BytePath[] = [];
  for (const [index, to] of entries.entries()) {
    const from = now[index] ?? absentAt(to.path);
    if (isSameState(from, to)) continue;
    const isReplaced = from.type === "directory" && to.type !== "directory";
    const inside = isReplaced ? appeared.filter(({ path }) => path !== to.path && isWithin(path, to.path)) : [];
    if (inside.length === 0 || (removeNew && !inside.some(({ path }) => nameOf(path) === ".git")))
      changes.push({ from, to });
    // An absence whose place has become a folder with new files: they are what is kept.
    else if (to.type !== "absent") inTheWay.push(to.path);
  }
  const removed = removeNew ? appeared : [];
  const emptied = emptiedFolders(removed, entries).filter((path) => isInArea(path));
  return {
    changes: [
      ...changes,
      ...[...removed, ...emptied.map((path) => folderAt(path))].map((from) => ({ from, to: absentAt(from.path) })),
    ],
    kept: removeNew ? [] : appeared.filter(({ type }) => type !== "directory"),
    inTheWay,
  };
}

/** The folders that only what has appeared was in, as far as one can tell: they go if they are empty then. */
function emptiedFolders(removed: readonly Entry[], entries: readonly Entry[]): readonly BytePath[] {
  if (removed.length === 0) return [];
  const stay = new Set(entries.flatMap(({ path }) => [path, ...foldersAbove(path)]));
  const gone = new Set(removed.map(({ path }) => path));
  const folders = new Set(removed.flatMap(({ path }) => foldersAbove(path)));
  return [...folders].filter((path) => !stay.has(path) && !gone.has(path));
}

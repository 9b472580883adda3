import type { Context } from "../context.ts";
import { sortScope } from "../files/sort-scope.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { Change, Look } from "../kinds/kind.ts";
import { type Entry, absentAt, isSameState } from "../manifest/entry.ts";
import { type BytePath, decodePath, diskPath, encodePath, isWithin, nameOf, parentOf } from "../paths/byte-path.ts";
import { pathOfItem } from "../request/item-path.ts";
import { parseScope } from "../request/parse-scope.ts";
import { isOfPlace } from "../place.ts";
import { type Checkpoint, loadCheckpoint } from "../store/load-checkpoint.ts";
import type { Contents } from "../store/contents.ts";
import { hasRepository } from "../store/repository.ts";
import { SafetyError } from "../trouble.ts";
import type { RestoreRequest } from "./restore-checkpoint.ts";
import { accessSync, constants, statfsSync } from "node:fs";
import { errorCode } from "@agent-checkpoint/files";
import { createLooker } from "../files/entry-at.ts";

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

/** Refuses a restore that needs more room than there is, before anything is written. */
export function refuseFullDisk(changes: readonly Change[], root: string): void {
  const needed = changes.reduce((sum, { from, to }) => sum + from.size + to.size, 0);
  const { bavail, bsize } = statfsSync(root);
  if (bavail * bsize < needed) {
    throw new SafetyError(
      "no-space",
      `The restore needs ${needed} bytes, and ${bavail * bsize} are free.`,
      "Make room, or restore in parts with --scope. Nothing was changed.",
    );
  }
}

/** Refuses a restore through a link or into a folder that cannot be written, before anything is. */
export function refuseUnreachable(changes: readonly Change[], root: string): void {
  const { isFolder, look } = createLooker(root);
  const comes = new Set(changes.filter(({ to }) => to.type === "directory").map(({ to }) => to.path));
  for (const folder of new Set(changes.map(({ to }) => parentOf(to.path)))) {
    for (let current = folder; ; current = parentOf(current)) {
      if (comes.has(current)) continue;
      if (isFolder(current)) {
        const path = diskPath(root, current);
        if (isReadOnly(path))
          throw new SafetyError(
            "not-writable",
            `\`${encodePath(current) || root}\` cannot be written to.`,
            "Nothing was changed.",
          );
        break;
      }
      if (look(current) !== null) {
        throw new SafetyError(
          "in-the-way",
          `\`${encodePath(current)}\` is no longer a real folder.`,
          "Move it away and restore again.",
        );
      }
    }
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
    const entry: Entry = { path, type: "directory", mode: Number(stats.mode & 0o7777n), size: 0, oid: null };
    return [{ from: entry, to: entry }];
  });
}

/** What a restore would do. */
export interface RestorePlan {
  readonly changes: readonly Change[];
  /** What has appeared since and stays. */
  readonly kept: readonly Entry[];
  /** Folders with something in them, in the place of a file: nothing is done while they are there. */
  readonly inTheWay: readonly BytePath[];
}

/** Plans a restore: only captured paths change, and files added since are removed only on request. */
export function planRestore(
  entries: readonly Entry[],
  { now, appeared }: Look,
  {
    removeNew,
    isInArea = () => true,
  }: { readonly removeNew: boolean; readonly isInArea?: (path: BytePath) => boolean },
): RestorePlan {
  const changes: Change[] = [];
  const inTheWay: BytePath[] = [];
  const removed = removeNew ? appeared : [];
  for (const [index, to] of entries.entries()) {
    const from = now[index] ?? absentAt(to.path);
    if (isSameState(from, to)) continue;
    const isReplaced = from.type === "directory" && to.type !== "directory";
    const inside = isReplaced ? appeared.filter(({ path }) => path !== to.path && isWithin(path, to.path)) : [];
    if (isReplaced && inside.length > 0 && (!removeNew || inside.some(({ path }) => nameOf(path) === ".git"))) {
      // An absence whose place has become a folder with new files: they are what is kept.
      if (to.type !== "absent") inTheWay.push(to.path);
      continue;
    }
    changes.push({ from, to });
  }
  const held = new Set(entries.map(({ path }) => path));
  const gone = removed.map((from) => ({ from, to: absentAt(from.path) }));
  const emptied = emptiedFolders(removed, held).filter((path) => isInArea(path));
  return {
    changes: [...changes, ...gone, ...emptied.map((path) => ({ from: folderAt(path), to: absentAt(path) }))],
    kept: removeNew ? [] : appeared.filter(({ type }) => type !== "directory"),
    inTheWay,
  };
}

/** The folders that only what has appeared was in, as far as one can tell: they go if they are empty then. */
function emptiedFolders(removed: readonly Entry[], held: ReadonlySet<BytePath>): readonly BytePath[] {
  const parents = new Set([...held].flatMap((path) => ancestors(path)));
  const gone = new Set(removed.map(({ path }) => path));
  const folders = new Set(removed.flatMap(({ path }) => ancestors(path)));
  return [...folders].filter((path) => !held.has(path) && !parents.has(path) && !gone.has(path));
}

function ancestors(path: BytePath): readonly BytePath[] {
  const found: BytePath[] = [];
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) found.push(folder);
  return found;
}

function folderAt(path: BytePath): Entry {
  return { path, type: "directory", mode: 0, size: 0, oid: null };
}

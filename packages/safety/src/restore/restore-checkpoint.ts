import { accessSync, constants, existsSync, mkdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { type Context, contextOf, type SafetyOptions } from "../context.ts";
import { makeCheckpoint, type MadeCheckpoint } from "../create/make-checkpoint.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { Change, Look } from "../kinds/kind.ts";
import { hashEntries } from "../manifest/canonical-stream.ts";
import { type Entry, isSameState } from "../manifest/entry.ts";
import { type BytePath, decodePath, diskPath, encodePath, isWithin, parentOf } from "../paths/byte-path.ts";
import { createLooker } from "../files/look-at.ts";
import { sortScope } from "../files/sort-scope.ts";
import { describePath, pathOfItem } from "../request/item-path.ts";
import { parseScope } from "../request/parse-scope.ts";
import { ensureStore } from "../store/ensure-store.ts";
import { type Checkpoint, listManifests, loadCheckpoint, loadTree } from "../store/load-checkpoint.ts";
import { openContents } from "../store/open-contents.ts";
import { withStoreLock } from "../store/with-store-lock.ts";
import { SafetyError, type Trouble, troubleOf } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";
import { readWrites } from "../writes/read-writes.ts";
import { ensureOwnFolder } from "../workspace/ensure-own-folder.ts";
import { writeMirror } from "../workspace/write-mirror.ts";
import { foreignChanges } from "./foreign-changes.ts";
import { removeJournal, writeJournal } from "./journal.ts";
import { planRestore, type RestorePlan } from "./plan-restore.ts";
import { clearStaging, recover } from "./recover.ts";
import { describeChange, type RestoreReport } from "./restore-report.ts";

export interface RestoreRequest {
  readonly id: string;
  /** Only these files, folders or globs of the checkpoint. */
  readonly scope?: readonly string[];
  /** Shows the plan and changes nothing. */
  readonly dryRun?: boolean;
  /** Restores over what somebody else has changed; the undo checkpoint keeps it. */
  readonly force?: boolean;
  /** Removes what has appeared in scope since; the undo checkpoint keeps it. */
  readonly removeNew?: boolean;
  readonly allowExpired?: boolean;
}

/** What came of a restore: done, planned only, or why nothing was changed. */
export type RestoreResult =
  | { readonly status: "restored" | "planned"; readonly report: RestoreReport; readonly notes: readonly string[] }
  | Trouble;

/** Brings a checkpoint back: everything is proven first, what is touched is kept in a checkpoint of its own, and the result is compared. */
export async function restoreCheckpoint(request: RestoreRequest, options: SafetyOptions): Promise<RestoreResult> {
  return withAudit(options, async (setRoot) => {
    try {
      const context = await contextOf(options);
      const { layout } = context.place;
      if (!existsSync(layout.checkpoints))
        throw new SafetyError(
          "unknown-checkpoint",
          `There is no store at ${layout.folder}.`,
          "Give --root or --store.",
        );
      if (request.dryRun === true) {
        const { plan, checkpoint, wanted, look } = await prepare(request, context);
        return {
          status: "planned",
          report: reportOf({ checkpoint, plan, wanted, pre: look.now, post: look.now, undo: null }, context),
          notes: [],
        };
      }
      ensureStore(layout);
      setRoot(context.place.root);
      return await withStoreLock(layout, context.lockWaitMs, async () => {
        const notes = await recover(context);
        return { status: "restored", report: await restore(request, context), notes };
      });
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === null) throw error;
      return trouble;
    }
  });
}

interface Prepared {
  readonly checkpoint: Checkpoint;
  /** The entries that are in the scope of this restore. */
  readonly wanted: readonly Entry[];
  readonly look: Look;
  readonly plan: RestorePlan;
}

/** Everything that can be found out, and refused, without writing. */
async function prepare(request: RestoreRequest, context: Context): Promise<Prepared> {
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

async function restore(request: RestoreRequest, context: Context): Promise<RestoreReport> {
  const { checkpoint, wanted, look, plan } = await prepare(request, context);
  const { place, step } = context;
  const kind = kindOf(checkpoint.manifest.type, context);
  if (plan.inTheWay.length > 0) {
    throw new SafetyError(
      "in-the-way",
      `In the place of a file there is a folder with files: ${names(plan.inTheWay)}.`,
      "Move it away, or give --remove-new.",
    );
  }
  if (plan.changes.length === 0)
    return reportOf({ checkpoint, plan, wanted, pre: look.now, post: look.now, undo: null }, context);
  refuseForeign(checkpoint, plan, request, context);
  refuseUnreachable(plan.changes, place.root);
  refuseFullDisk(plan.changes, place.root);
  step("planned");
  const undo = await keepForUndo(checkpoint, plan, context);
  step("kept");
  const changes = [...plan.changes, ...foldersToLoosen(plan.changes, place.root)];
  const own = ensureOwnFolder(place.root, ".checkpoints");
  const staging = join(own ?? place.layout.tmp, `restore-${undo.manifest.id}`);
  const { type } = checkpoint.manifest;
  const contents = openContents(place.layout);
  try {
    writeJournal(place.layout, {
      undo: undo.manifest.id,
      checkpoint: request.id,
      type,
      root: place.root,
      staging,
      changes,
    });
    step("journal written");
    mkdirSync(staging, { mode: 0o700 });
    const common = { root: place.root, contents, staging, isDurable: true, progress: context.progress };
    try {
      await kind.apply({ ...common, changes, step, isResumed: false });
    } catch (error) {
      clearStaging(staging);
      mkdirSync(staging, { mode: 0o700 });
      // What was changed so far goes back to what it was.
      const back = changes.map(({ from, to }) => ({ from: to, to: from }));
      await kind.apply({ ...common, changes: back, step: () => undefined, isResumed: true });
      clearStaging(staging);
      removeJournal(place.layout, undo.manifest.id);
      throw error;
    }
    clearStaging(staging);
    removeJournal(place.layout, undo.manifest.id);
    step("journal removed");
  } finally {
    contents.close();
  }
  const after = await kind.look({ place, manifest: checkpoint.manifest, entries: wanted, limits: context.limits });
  writeMirror(undo);
  return reportOf({ checkpoint, plan, wanted, pre: look.now, post: after.now, undo }, context);
}

function refuseForeign(
  checkpoint: Checkpoint,
  plan: RestorePlan,
  { force = false }: RestoreRequest,
  context: Context,
): void {
  if (force) return;
  const { manifest } = checkpoint;
  const { place } = context;
  // What agents write is recorded of files only.
  const { isOfFiles } = kindOf(manifest.type, context);
  const writes = readWrites(place.layout, place.root).filter(({ at }) => isOfFiles && at >= manifest.createdAt);
  const later = listManifests(place.layout).flatMap((found) => {
    if ("damage" in found || found.manifest.root !== place.root || found.manifest.createdAt <= manifest.createdAt)
      return [];
    return [{ manifest: found.manifest, entries: loadTree(place.layout, found.manifest) }];
  });
  const foreign = foreignChanges(plan.changes, { manifest, writes, later });
  if (foreign.length === 0) return;
  const shown = foreign.slice(0, 5).map(({ path, why }) => `\`${encodePath(path)}\` (${why})`);
  throw new SafetyError(
    "changed-by-others",
    `Somebody else has changed ${foreign.length} of the files: ${shown.join(", ")}.`,
    "Restore the others with --scope, or give --force: what is there now is kept in a checkpoint either way.",
  );
}

/** Refuses a restore through a link or into a folder that cannot be written, before anything is. */
function refuseUnreachable(changes: readonly Change[], root: string): void {
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
          `\`${encodePath(current)}\` is no folder of its own any more.`,
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
    return error instanceof Error && "code" in error && error.code === "EROFS";
  }
}

function refuseFullDisk(changes: readonly Change[], root: string): void {
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

/** A checkpoint of exactly what the restore will touch; what cannot be kept is not touched. */
async function keepForUndo(
  checkpoint: Checkpoint,
  { changes }: RestorePlan,
  context: Context,
): Promise<MadeCheckpoint> {
  const undo = await makeCheckpoint(
    {
      scope: [],
      exactly: changes.map(({ to }) => to.path),
      reason: `before the restore of ${checkpoint.manifest.id}`,
      type: checkpoint.manifest.type,
      expiresAt: null,
      purpose: "undo",
      program: context.program,
    },
    context,
  );
  const kept = new Map(undo.entries.map((entry) => [entry.path, entry]));
  const lost = changes.filter(({ from }) => {
    const entry = kept.get(from.path);
    return entry === undefined || (from.type !== "directory" && !isSameState(entry, from));
  });
  if (lost.length > 0) {
    throw new SafetyError(
      "not-undoable",
      `What is there now cannot be kept, or is changing: ${names(lost.map(({ from }) => from.path))}.`,
      "Nothing was changed. Move it away and restore again.",
    );
  }
  return undo;
}

/** Folders that must be opened for a moment, and get their permissions back: each a change to what it is. */
function foldersToLoosen(changes: readonly Change[], root: string): readonly Change[] {
  const { look, isFolder } = createLooker(root);
  const changed = new Set(changes.map(({ to }) => to.path));
  return [...new Set(changes.map(({ to }) => parentOf(to.path)))].flatMap((path) => {
    const stats = path !== "" && !changed.has(path) && isFolder(path) ? look(path) : null;
    if (stats === null || (stats.mode & 0o300n) === 0o300n) return [];
    const entry: Entry = { path, type: "directory", mode: Number(stats.mode & 0o7777n), size: 0, sha256: null };
    return [{ from: entry, to: entry }];
  });
}

interface Outcome {
  readonly checkpoint: Checkpoint;
  readonly plan: RestorePlan;
  readonly wanted: readonly Entry[];
  readonly pre: readonly Entry[];
  readonly post: readonly Entry[];
  readonly undo: MadeCheckpoint | null;
}

function reportOf(
  { checkpoint: { manifest }, plan, wanted, pre, post, undo }: Outcome,
  { place }: Context,
): RestoreReport {
  const verification = { pre: hashOf(pre), post: hashOf(post), checkpoint: hashOf(wanted) };
  const match = verification.post === verification.checkpoint;
  const writes = readWrites(place.layout, place.root).some(({ at }) => at >= manifest.createdAt);
  return {
    rolled_back: match,
    restored_to: { checkpoint_id: manifest.id, checkpoint_type: manifest.type, timestamp: manifest.createdAt },
    changes_reverted: plan.changes.map(describeChange),
    verification: { ...verification, match },
    undo: undo === null ? null : { checkpoint_id: undo.manifest.id, restore_command: undo.manifest.restoreCommand },
    kept: plan.kept.map(({ path, type }) => describePath(path, { isOfFiles: type !== "value" })),
    warnings: [
      ...(writes || plan.changes.length === 0
        ? []
        : ["No write of an agent is recorded since the checkpoint, so every change counted as the agent's."]),
      ...(plan.kept.length === 0 ? [] : [`${plan.kept.length} files have appeared since and were kept.`]),
      ...(manifest.excluded.length + manifest.skipped.length === 0
        ? []
        : [`${manifest.excluded.length + manifest.skipped.length} paths were never captured and were not touched.`]),
    ],
    next_actions: ["Make a new checkpoint before the next change."],
  };
}

function hashOf(entries: readonly Entry[]): string {
  return `sha256:${hashEntries(entries)}`;
}

function names(paths: readonly BytePath[]): string {
  const shown = paths.slice(0, 5).map((path) => `\`${encodePath(path)}\``);
  return paths.length > 5 ? `${shown.join(", ")} and ${paths.length - 5} more` : shown.join(", ");
}

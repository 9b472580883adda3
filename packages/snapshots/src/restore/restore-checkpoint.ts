import type { Context, SafetyOptions } from "../context.ts";
import { kindOf } from "../kinds/kinds.ts";
import { type Entry, isSameState } from "../manifest/entry.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { type Contents, openContents } from "../store/contents.ts";
import { withStore } from "../store/with-store.ts";
import { SafetyError, type Trouble } from "../trouble.ts";
import { exitOfStatus, withAudit } from "../with-audit.ts";
import { writeMirror } from "../workspace/write-mirror.ts";
import { type Activity, findForeign, refuseForeign } from "./find-foreign.ts";
import {
  type PreparedRestore,
  type RestorePlan,
  foldersToLoosen,
  prepareRestore,
  refuseFullDisk,
  refuseUnreachable,
  refuseWithoutStore,
} from "./prepare-restore.ts";
import { abandonRestores, makeChanges, recover } from "./journal.ts";
import { type RestoreReport, namePaths, reportRestore } from "./restore-report.ts";
import { makeCheckpoint } from "../create/make-checkpoint.ts";
import type { Checkpoint } from "../store/load-checkpoint.ts";

export interface RestoreRequest {
  readonly id: string;
  /** Only these files, folders or globs of the checkpoint. */
  readonly scope?: readonly string[];
  /** Shows the plan and changes nothing. */
  readonly dryRun?: boolean;
  /** Restores over what someone else has changed; the undo checkpoint keeps it. */
  readonly force?: boolean;
  /** Removes what has appeared in scope since; the undo checkpoint keeps it. */
  readonly removeNew?: boolean;
  readonly allowExpired?: boolean;
  /** When tools of agents ran since a checkpoint, null if that is not known: what changed at another time is someone else's. */
  readonly activityOf?: (checkpoint: Manifest) => Promise<Activity | null>;
}

/** The result of a restore: done, planned only, or why nothing was changed. */
export type RestoreResult = Restored | Trouble;

interface Restored {
  readonly status: "restored" | "planned";
  readonly report: RestoreReport;
  readonly notes: readonly string[];
}

/** Restores a snapshot: verifies everything first, captures what it touches in an undo snapshot, and compares the result. */
export async function restoreCheckpoint(request: RestoreRequest, options: SafetyOptions): Promise<RestoreResult> {
  return withAudit<Restored>(
    options,
    async (context) => {
      refuseWithoutStore(context);
      if (request.dryRun === true) return { status: "planned", report: await plan(request, context), notes: [] };
      return withStore(context.place.layout, context.lockWaitMs, async () => {
        const notes = await recover(context);
        return { status: "restored", report: await restore(request, context), notes };
      });
    },
    exitOf,
  );
}

/** A restore that did not come to what the checkpoint holds has failed. */
function exitOf(result: RestoreResult): number {
  const isFailed = result.status === "restored" && !result.report.verification.match;
  return exitOfStatus(isFailed ? { status: "failed" } : result);
}

/** What a restore would do. */
async function plan(request: RestoreRequest, context: Context): Promise<RestoreReport> {
  const contents = openContents(context.place.layout);
  try {
    const prepared = await prepareRestore(request, context, contents);
    const foreign = await findForeign(prepared, request, context, contents);
    return reportRestore({ ...prepared, foreign, post: prepared.look.now, undo: null });
  } finally {
    contents.close();
  }
}

async function restore(request: RestoreRequest, context: Context): Promise<RestoreReport> {
  const contents = openContents(context.place.layout);
  try {
    return await restoreWith(contents, request, context);
  } finally {
    contents.close();
  }
}

async function restoreWith(contents: Contents, request: RestoreRequest, context: Context): Promise<RestoreReport> {
  const prepared = await prepareRestore(request, context, contents);
  const { checkpoint, look, plan } = prepared;
  const { place, step } = context;
  if (plan.inTheWay.length > 0) {
    throw new SafetyError(
      "in-the-way",
      `In the place of a file there is a folder with files: ${namePaths(plan.inTheWay)}.`,
      "Move it away, or give --remove-new.",
    );
  }
  const foreign = await findForeign(prepared, request, context, contents);
  if (plan.changes.length === 0) return reportRestore({ ...prepared, foreign, post: look.now, undo: null });
  if (request.force !== true) refuseForeign(foreign);
  refuseUnreachable(plan.changes, place.root);
  refuseFullDisk(plan.changes, place.root);
  step("planned");
  const undo = await keepForUndo(checkpoint, plan, context);
  step("kept");
  const changes = [...plan.changes, ...foldersToLoosen(plan.changes, place.root)];
  await makeChanges(changes, { checkpoint: checkpoint.manifest, undo: undo.manifest.id }, context);
  const after = await lookAgain(prepared, context);
  writeMirror(undo.manifest, place.layout);
  return reportRestore({ ...prepared, foreign, post: after, undo });
}

/** What is there now: what was changed is looked at once more, the rest was looked at before. */
async function lookAgain(
  { checkpoint, wanted, look, plan }: PreparedRestore,
  context: Context,
): Promise<readonly Entry[]> {
  const changed = new Set(plan.changes.map(({ to }) => to.path));
  const { place } = context;
  // A look at these very paths, as at what a restore has kept, lists nothing else.
  const manifest = { ...checkpoint.manifest, purpose: "undo" as const };
  const kind = kindOf(manifest.type, context);
  const again = await kind.look({ place, manifest, entries: wanted.filter(({ path }) => changed.has(path)) });
  const found = new Map(again.now.map((entry) => [entry.path, entry]));
  return look.now.map((entry) => found.get(entry.path) ?? entry);
}

/** Gives up the interrupted restores of this work tree. */
export async function abandonRestore(
  options: SafetyOptions,
): Promise<{ readonly status: "abandoned"; readonly notes: readonly string[] } | Trouble> {
  return withAudit(options, async (context) => {
    refuseWithoutStore(context);
    return withStore(context.place.layout, context.lockWaitMs, async () => ({
      status: "abandoned" as const,
      notes: abandonRestores(context.place),
    }));
  });
}

/** A snapshot of exactly what the restore will touch; what cannot be captured is not touched. */
export async function keepForUndo(
  checkpoint: Checkpoint,
  { changes }: RestorePlan,
  context: Context,
): Promise<Checkpoint> {
  const undo = await makeCheckpoint(
    {
      scope: [],
      exactly: changes.map(({ to }) => to.path),
      reason: `before the restore of ${checkpoint.manifest.id}`,
      type: checkpoint.manifest.type,
      expiresAt: new Date(context.now().getTime() + context.undoDays * 86_400_000),
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
      `What is there now cannot be kept, or is changing: ${namePaths(lost.map(({ from }) => from.path))}.`,
      "Nothing was changed. Move it away and restore again.",
    );
  }
  return undo;
}

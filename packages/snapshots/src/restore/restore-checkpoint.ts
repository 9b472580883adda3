import { type Context, contextOf, type SafetyOptions } from "../context.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { withStore } from "../store/with-store.ts";
import { SafetyError, type Trouble, troubleOf } from "../trouble.ts";
import { exitOfStatus, withAudit } from "../with-audit.ts";
import { mirrorCheckpoint } from "../workspace/mirror-checkpoint.ts";
import type { Activity } from "./activity.ts";
import { findForeign } from "./find-foreign.ts";
import { foldersToLoosen } from "./folders-to-loosen.ts";
import { keepForUndo } from "./keep-for-undo.ts";
import { makeChanges } from "./make-changes.ts";
import { namePaths } from "./name-paths.ts";
import { prepareRestore, refuseWithoutStore } from "./prepare-restore.ts";
import { recover } from "./recover.ts";
import { refuseForeign } from "./refuse-foreign.ts";
import { refuseFullDisk } from "./refuse-full-disk.ts";
import { refuseUnreachable } from "./refuse-unreachable.ts";
import { type RestoreReport, reportRestore } from "./restore-report.ts";

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
  /** When tools of agents ran since a checkpoint, null where that is not known: what changed at another time is somebody else's. */
  readonly activityOf?: (checkpoint: Manifest) => Promise<Activity | null>;
}

/** What came of a restore: done, planned only, or why nothing was changed. */
export type RestoreResult =
  | { readonly status: "restored" | "planned"; readonly report: RestoreReport; readonly notes: readonly string[] }
  | Trouble;

/** Brings a checkpoint back: everything is proven first, what is touched is kept in a checkpoint of its own, and the result is compared. */
export async function restoreCheckpoint(request: RestoreRequest, options: SafetyOptions): Promise<RestoreResult> {
  return withAudit<RestoreResult>(
    options,
    async (setPlace) => {
      try {
        const context = await contextOf(options);
        const { layout } = context.place;
        setPlace(context.place);
        refuseWithoutStore(context);
        if (request.dryRun === true) return { status: "planned", report: await plan(request, context), notes: [] };
        return await withStore(layout, context.lockWaitMs, async () => {
          const notes = await recover(context);
          return { status: "restored", report: await restore(request, context), notes };
        });
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble === null) throw error;
        return trouble;
      }
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
  const prepared = await prepareRestore(request, context);
  const foreign = await findForeign(prepared, request, context);
  return reportRestore({ ...prepared, foreign, post: prepared.look.now, undo: null });
}

async function restore(request: RestoreRequest, context: Context): Promise<RestoreReport> {
  const prepared = await prepareRestore(request, context);
  const { checkpoint, wanted, look, plan } = prepared;
  const { place, step } = context;
  if (plan.inTheWay.length > 0) {
    throw new SafetyError(
      "in-the-way",
      `In the place of a file there is a folder with files: ${namePaths(plan.inTheWay)}.`,
      "Move it away, or give --remove-new.",
    );
  }
  const foreign = await findForeign(prepared, request, context);
  if (plan.changes.length === 0) return reportRestore({ ...prepared, foreign, post: look.now, undo: null });
  if (request.force !== true) refuseForeign(foreign);
  refuseUnreachable(plan.changes, place.root);
  refuseFullDisk(plan.changes, place.root);
  step("planned");
  const undo = await keepForUndo(checkpoint, plan, context);
  step("kept");
  const changes = [...plan.changes, ...foldersToLoosen(plan.changes, place.root)];
  await makeChanges(changes, { checkpoint: checkpoint.manifest, undo: undo.manifest.id }, context);
  const { manifest } = checkpoint;
  const after = await kindOf(manifest.type, context).look({ place, manifest, entries: wanted, limits: context.limits });
  mirrorCheckpoint(undo, place);
  return reportRestore({ ...prepared, foreign, post: after.now, undo });
}

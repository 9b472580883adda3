import { contextOf, type SafetyOptions } from "../context.ts";
import { findForeign } from "../restore/find-foreign.ts";
import { prepareRestore, refuseWithoutStore } from "../restore/prepare-restore.ts";
import type { RestoreRequest } from "../restore/restore-checkpoint.ts";
import { reportRestore, type RestoreReport } from "../restore/restore-report.ts";
import { type Trouble, troubleOf } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";

/** What a restore would change: `found` where it would change something. */
export type DiffResult = { readonly status: "same" | "found"; readonly report: RestoreReport } | Trouble;

/** Compares a checkpoint, expired or not, with what is there now. */
export async function diffCheckpoint(
  request: Pick<RestoreRequest, "id" | "scope">,
  options: SafetyOptions,
): Promise<DiffResult> {
  return withAudit<DiffResult>(options, async (setPlace) => {
    try {
      const context = await contextOf(options);
      setPlace(context.place);
      refuseWithoutStore(context);
      const prepared = await prepareRestore({ ...request, allowExpired: true }, context);
      const foreign = await findForeign(prepared, {}, context);
      const report = reportRestore({ ...prepared, foreign, post: prepared.look.now, undo: null });
      return { status: report.changes_reverted.length === 0 ? "same" : "found", report };
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === null) throw error;
      return trouble;
    }
  });
}

import type { SafetyOptions } from "../context.ts";
import { findForeign } from "../restore/find-foreign.ts";
import { prepareRestore, refuseWithoutStore } from "../restore/prepare-restore.ts";
import type { RestoreRequest } from "../restore/restore-checkpoint.ts";
import { reportRestore, type RestoreReport } from "../restore/restore-report.ts";
import { openContents } from "../store/contents.ts";
import type { Trouble } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";

/** What a restore would change: `found` if it would change something. */
export type DiffResult = { readonly status: "same" | "found"; readonly report: RestoreReport } | Trouble;

/** Compares a checkpoint, expired or not, with what is there now. */
export async function diffCheckpoint(
  request: Pick<RestoreRequest, "id" | "scope">,
  options: SafetyOptions,
): Promise<DiffResult> {
  return withAudit(options, async (context) => {
    refuseWithoutStore(context);
    const contents = openContents(context.place.layout);
    try {
      const prepared = await prepareRestore({ ...request, allowExpired: true }, context, contents);
      const foreign = await findForeign(prepared, {}, context, contents);
      const report = reportRestore({ ...prepared, foreign, post: prepared.look.now, undo: null });
      return { status: report.changes_reverted.length === 0 ? ("same" as const) : ("found" as const), report };
    } finally {
      contents.close();
    }
  });
}

import type { SafetyOptions } from "../context.ts";
import { findForeign } from "../restore/find-foreign.ts";
import { prepareRestore, refuseWithoutStore } from "../restore/prepare-restore.ts";
import type { RestoreRequest } from "../restore/restore-checkpoint.ts";
import { type RestoreReport, reportRestore } from "../restore/restore-report.ts";
import { openContents } from "../store/contents.ts";
import type { Trouble } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";
import { join } from "node:path";
import { mkdtempSync, rmSync } from "node:fs";
import { refuseUnknown } from "../store/load-checkpoint.ts";
import { outputOf, storeGit } from "../store/repository.ts";
import { refOf } from "../store/store-layout.ts";

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

/** The difference between a snapshot and the files now, as git writes it: what has happened since. */
export async function textDiff(
  { id, form }: { readonly id: string; readonly form: "stat" | "patch" },
  options: SafetyOptions,
): Promise<{ readonly status: "shown"; readonly text: string } | Trouble> {
  return withAudit(options, async ({ place: { layout, root } }) => {
    refuseUnknown(layout, id);
    const folder = mkdtempSync(join(layout.tmp, "diff-"));
    const env = { GIT_WORK_TREE: root, GIT_INDEX_FILE: join(folder, "index") };
    try {
      outputOf(await storeGit(layout, ["read-tree", refOf(id)], { env }));
      // The canonical stream is in the tree, and on no disk.
      outputOf(await storeGit(layout, ["rm", "--cached", "--quiet", "-r", "--", ".checkpoints"], { cwd: root, env }));
      const args = ["diff-files", "--no-ext-diff", "--no-color", form === "stat" ? "--stat" : "--patch"];
      const text = outputOf(await storeGit(layout, args, { cwd: root, env })).toString("utf8");
      return { status: "shown" as const, text };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

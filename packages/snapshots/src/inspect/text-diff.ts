import { join } from "node:path";
import { mkdtempSync, rmSync } from "node:fs";
import type { SafetyOptions } from "../context.ts";
import { refuseUnknown } from "../store/load-checkpoint.ts";
import { outputOf, storeGit } from "../store/repository.ts";
import { refOf } from "../store/store-layout.ts";
import type { Trouble } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";

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

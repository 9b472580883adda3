import { contextOf, type SafetyOptions } from "../context.ts";
import type { Omission } from "../manifest/manifest.ts";
import { type CheckpointRequest, parseRequest } from "../request/parse-request.ts";
import { chooseType } from "../request/choose-type.ts";
import { recover } from "../restore/recover.ts";
import { ensureStore } from "../store/ensure-store.ts";
import { withStoreLock } from "../store/with-store-lock.ts";
import { type Trouble, troubleOf } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";
import { writeMirror } from "../workspace/write-mirror.ts";
import { makeCheckpoint } from "./make-checkpoint.ts";
import { NothingCaptured } from "./nothing-captured.ts";
import { type CheckpointReport, reportNothing, reportOf } from "./report.ts";

/** What came of a request: a checkpoint that was proven restorable, or the reason why there is none. */
export type CreateResult =
  | { readonly status: "created"; readonly report: CheckpointReport; readonly notes: readonly string[] }
  | (Trouble & { readonly report: CheckpointReport });

/** Makes a checkpoint of a scope before it is changed; nothing of the user's is touched. */
export async function createCheckpoint(request: CheckpointRequest, options: SafetyOptions): Promise<CreateResult> {
  return withAudit(options, async (setRoot) => {
    let left: { readonly excluded: readonly Omission[]; readonly skipped: readonly Omission[] } = {
      excluded: [],
      skipped: [],
    };
    try {
      const context = await contextOf(options);
      const { place } = context;
      const parsed = parseRequest(request, place, context.now());
      const type = chooseType(parsed.scope, { asked: parsed.type, hasGit: place.tree !== null });
      ensureStore(place.layout);
      setRoot(place.root);
      return await withStoreLock(place.layout, context.lockWaitMs, async () => {
        const notes = await recover(context);
        const made = await makeCheckpoint({ ...parsed, type, purpose: "asked", program: context.program }, context);
        const mirror = writeMirror(made);
        context.step("mirrored");
        return {
          status: "created" as const,
          report: reportOf(made, { program: context.program, store: place.layout.folder }),
          notes: mirror === null ? notes : [...notes, mirror],
        };
      });
    } catch (error) {
      if (error instanceof NothingCaptured) left = error;
      const trouble = troubleOf(error);
      if (trouble === null) throw error;
      return { ...trouble, report: reportNothing(trouble.message, left) };
    }
  });
}

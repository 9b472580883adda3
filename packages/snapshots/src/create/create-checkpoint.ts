import { existsSync } from "node:fs";
import type { SafetyOptions } from "../context.ts";
import type { Omission } from "../manifest/manifest.ts";
import { assertScopeNotEmpty } from "../request/assert-scope-not-empty.ts";
import { chooseType } from "../request/choose-type.ts";
import { type CheckpointRequest, parseRequest } from "../request/parse-request.ts";
import { recover } from "../restore/recover.ts";
import { withStore } from "../store/with-store.ts";
import type { Trouble } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";
import { writeMirror } from "../workspace/write-mirror.ts";
import { makeCheckpoint } from "./make-checkpoint.ts";
import { NothingCaptured } from "./nothing-captured.ts";
import { type CheckpointReport, reportNothing, reportOf } from "./report.ts";

/** The result of a request: a checkpoint that was proven restorable, or the reason why there is none. */
export type CreateResult = Created | (Trouble & { readonly report: CheckpointReport });

interface Created {
  readonly status: "created";
  readonly report: CheckpointReport;
  readonly notes: readonly string[];
}

/** Creates a checkpoint of a scope before it is changed; nothing of the user's is touched. */
export async function createCheckpoint(request: CheckpointRequest, options: SafetyOptions): Promise<CreateResult> {
  let left: { readonly excluded: readonly Omission[]; readonly skipped: readonly Omission[] } = NOTHING_LEFT;
  const result = await withAudit<Created>(options, async (context) => {
    const { place } = context;
    const parsed = parseRequest(request, place, context.now());
    const type = chooseType(parsed.scope, { asked: parsed.type, hasGit: place.tree !== null });
    if (!existsSync(place.layout.folder)) await assertScopeNotEmpty(parsed.scope, place, type);
    return withStore(place.layout, context.lockWaitMs, async () => {
      const notes = await recover(context);
      const wanted = { ...parsed, type, purpose: "asked" as const, program: context.program };
      const made = await makeCheckpoint(wanted, context).catch((error: unknown) => {
        if (error instanceof NothingCaptured) left = error;
        throw error;
      });
      const problem = writeMirror(made.manifest);
      context.step("mirrored");
      return {
        status: "created",
        report: reportOf(made, { program: context.program, layout: place.layout }),
        notes: problem === null ? notes : [...notes, problem],
      };
    });
  });
  return result.status === "created" ? result : { ...result, report: reportNothing(result.message, left) };
}

const NOTHING_LEFT = { excluded: [], skipped: [] };

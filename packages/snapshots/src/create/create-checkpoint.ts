import { existsSync } from "node:fs";
import type { SafetyOptions } from "../context.ts";
import type { Omission } from "../manifest/manifest.ts";
import { assertScopeNotEmpty } from "../request/assert-scope-not-empty.ts";
import { type CheckpointRequest, chooseType, parseRequest } from "../request/parse-request.ts";
import { encodePath } from "../paths/byte-path.ts";
import type { Place } from "../place.ts";
import type { ScopeItem } from "../request/parse-scope.ts";
import { recover } from "../restore/journal.ts";
import type { Checkpoint } from "../store/load-checkpoint.ts";
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
  /** Files that were named and do not exist: a new file, or a typo. */
  readonly absent: readonly string[];
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
      const problem = writeMirror(made.manifest, place.layout);
      context.step("mirrored");
      return {
        status: "created",
        report: reportOf(made, place),
        absent: absentIn(made, parsed.scope),
        notes: [...notes, ...withoutGit(place), ...(problem === null ? [] : [problem])],
      };
    });
  });
  return result.status === "created" ? result : { ...result, report: reportNothing(result.message, left) };
}

function absentIn({ entries }: Checkpoint, scope: readonly ScopeItem[]): readonly string[] {
  const named = new Set(scope.flatMap((item) => (item.kind === "path" ? [item.path] : [])));
  return entries.flatMap(({ path, type }) =>
    type === "absent" && named.has(encodePath(path)) ? [encodePath(path)] : [],
  );
}

/** Says why git was not asked, unless there is simply no repository. */
function withoutGit({ noGit }: Place): readonly string[] {
  return noGit === null || /not a git repository/.test(noGit) ? [] : [`git was not asked what is in scope: ${noGit}`];
}

const NOTHING_LEFT = { excluded: [], skipped: [] };

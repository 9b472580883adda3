import { existsSync } from "node:fs";
import type { CheckpointType } from "../checkpoint-type.ts";
import { type Context, contextOf, type SafetyOptions } from "../context.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { Omission } from "../manifest/manifest.ts";
import { type CheckpointRequest, parseRequest } from "../request/parse-request.ts";
import { chooseType } from "../request/choose-type.ts";
import type { ScopeItem } from "../request/parse-scope.ts";
import { refuseScopeOfNothing } from "../request/refuse-scope-of-nothing.ts";
import { recover } from "../restore/recover.ts";
import { withStore } from "../store/with-store.ts";
import { type Trouble, troubleOf } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";
import { draftMirror } from "../workspace/draft-mirror.ts";
import { type Announcement, type MadeCheckpoint, makeCheckpoint } from "./make-checkpoint.ts";
import { NothingCaptured } from "./nothing-captured.ts";
import { type CheckpointReport, reportNothing, reportOf } from "./report.ts";

/** What came of a request: a checkpoint that was proven restorable, or the reason why there is none. */
export type CreateResult =
  | { readonly status: "created"; readonly report: CheckpointReport; readonly notes: readonly string[] }
  | (Trouble & { readonly report: CheckpointReport });

/** Makes a checkpoint of a scope before it is changed; nothing of the user's is touched. */
export async function createCheckpoint(request: CheckpointRequest, options: SafetyOptions): Promise<CreateResult> {
  return withAudit(options, async (setPlace) => {
    let left: { readonly excluded: readonly Omission[]; readonly skipped: readonly Omission[] } = {
      excluded: [],
      skipped: [],
    };
    try {
      const context = await contextOf(options);
      const { place } = context;
      const parsed = parseRequest(request, place, context.now());
      const type = chooseType(parsed.scope, { asked: parsed.type, hasGit: place.tree !== null });
      if (!existsSync(place.layout.folder)) await refuseScopeOfNothing(parsed.scope, place, type);
      const begun = begin(type, parsed.scope, context);
      setPlace(place);
      return await withStore(place.layout, context.lockWaitMs, async () => {
        const notes = await recover(context);
        let mirror: string | null = null;
        const announce = (checkpoint: MadeCheckpoint): Announcement => {
          const draft = draftMirror(checkpoint, place);
          return { ...draft, settle: () => (mirror = draft.settle()) };
        };
        const wanted = {
          ...parsed,
          type,
          purpose: "asked" as const,
          program: context.program,
          ...(begun === null || !begun.isFresh(notes) ? {} : { begun: begun.answer }),
          announce,
        };
        const made = await makeCheckpoint(wanted, context);
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

/**
 * Asks git ahead, while the store is being locked. What it sees of a file is as good as what it would see a moment later,
 * unless an interrupted restore is finished in between, or the lock takes its time.
 */
function begin(type: CheckpointType, scope: readonly ScopeItem[], context: Context) {
  const answer = kindOf(type, context).begin?.(context.place, scope);
  if (answer === undefined) return null;
  const started = performance.now();
  const isFresh = (notes: readonly string[]): boolean => notes.length === 0 && performance.now() - started < FRESH_MS;
  return { answer, isFresh };
}

const FRESH_MS = 200;

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { contextOf, type SafetyOptions } from "../context.ts";
import { verifyCheckpoint } from "../inspect/verify-checkpoint.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { type FoundManifest, listManifests } from "../store/load-checkpoint.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { withStoreLock } from "../store/with-store-lock.ts";
import { recover } from "../restore/recover.ts";
import { type Trouble, troubleOf } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";
import { deleteCheckpoints } from "./delete-checkpoints.ts";
import { type Candidate, type GcDecision, planGc } from "./plan-gc.ts";

export interface GcOptions extends SafetyOptions {
  /** Deletes what may go; otherwise it is only listed. */
  readonly apply?: boolean;
  readonly youngMs?: number;
  readonly liveSessions?: readonly string[];
}

/** What clean-up decided, and what it freed. */
export type GcResult =
  | {
      readonly status: "planned" | "collected";
      readonly decisions: readonly GcDecision[];
      readonly freedBytes: number;
      readonly notes: readonly string[];
    }
  | Trouble;

/** Deletes expired checkpoints, where that was asked for; what is deleted is recorded in the store's `deleted.jsonl`. */
export async function collectGarbage(options: GcOptions): Promise<GcResult> {
  return withAudit(options, async (setPlace) => {
    try {
      const context = await contextOf(options);
      const { layout } = context.place;
      setPlace(context.place);
      const rules = { now: context.now(), youngMs: options.youngMs ?? HOUR, liveSessions: options.liveSessions ?? [] };
      const decide = (): readonly GcDecision[] =>
        planGc(
          listManifests(layout).map((found) => candidateOf(layout, found)),
          rules,
        );
      if (options.apply !== true || !existsSync(layout.folder)) {
        return { status: "planned" as const, decisions: decide(), freedBytes: 0, notes: [] };
      }
      return await withStoreLock(layout, context.lockWaitMs, async () => {
        const notes = await recover(context);
        const decisions = decide();
        const gone = decisions.filter(({ keep }) => !keep).map(({ id }) => id);
        const before = sizeOf(layout);
        const stayed = await deleteCheckpoints(layout, manifestsOf(layout, gone), context.now());
        const freedBytes = Math.max(0, before - sizeOf(layout));
        return { status: "collected" as const, decisions, freedBytes, notes: [...notes, ...stayed] };
      });
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === null) throw error;
      return trouble;
    }
  });
}

const HOUR = 3_600_000;

function candidateOf(layout: StoreLayout, found: FoundManifest): Candidate {
  if ("damage" in found) return { id: found.id, manifest: null, isPinned: false, isSound: () => false };
  const { id, manifest, isPinned } = found;
  return { id, manifest, isPinned, isSound: () => verifyCheckpoint(layout, id, "quick").verdict === "PASS" };
}

function manifestsOf(layout: StoreLayout, ids: readonly string[]): readonly Manifest[] {
  return listManifests(layout).flatMap((found) =>
    "manifest" in found && ids.includes(found.id) ? [found.manifest] : [],
  );
}

function sizeOf(layout: StoreLayout): number {
  return readdirSync(layout.packs).reduce((sum, name) => sum + statSync(join(layout.packs, name)).size, 0);
}

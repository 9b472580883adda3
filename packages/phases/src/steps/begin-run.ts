import type { RawDocument } from "../document/migrations.ts";
import type { UnifiedCheckpoint } from "../document/types.ts";
import type { CheckpointKey } from "../names/file-name.ts";
import type { Patchable } from "./patch-phase.ts";

/** What belongs to one run and not to the next. */
const OF_A_RUN: ReadonlySet<string> = new Set<keyof UnifiedCheckpoint>([
  "phases",
  "state",
  "gate",
  "started_at",
  "updated_at",
  "completed_at",
  "base_commit",
  "head_commit",
]);

/** The document of a new run: without phases, with the history and the foreign fields of the run before. */
export function beginRun(key: CheckpointKey, before: UnifiedCheckpoint | null): Patchable {
  const kept = Object.entries(before ?? {}).filter(([field]) => !OF_A_RUN.has(field));
  return { ...Object.fromEntries(kept), ...key, phases: {} };
}

/** Whether a change is the first of a new run: work begins, and the run before is over. */
export function isNewRun(before: UnifiedCheckpoint, patch: RawDocument): boolean {
  const isWork = patch["status"] === "in_progress" || patch["status"] === "pending";
  return typeof before.completed_at === "string" && isWork && patch["reopen"] !== true;
}

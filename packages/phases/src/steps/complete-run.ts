import type { RawDocument } from "../document/migrations.ts";
import type { Phase, PhaseStatus, UnifiedCheckpoint } from "../document/types.ts";

/** What becomes of the phases when somebody says that the command is done; a failure stays one. */
const AT_THE_END: Readonly<Record<PhaseStatus, PhaseStatus>> = {
  pending: "skipped",
  in_progress: "complete",
  complete: "complete",
  failed: "failed",
  skipped: "skipped",
};

/** A checkpoint whose command is done. */
export function completeRun(checkpoint: UnifiedCheckpoint, now: Date): RawDocument {
  const time = now.toISOString();
  const ended = Object.entries(checkpoint.phases).map(([name, phase]): [string, Phase] => {
    const status = AT_THE_END[phase.status];
    return [name, status === phase.status ? phase : { ...phase, status, updated_at: time }];
  });
  return { ...checkpoint, completed_at: checkpoint.completed_at ?? time, phases: Object.fromEntries(ended) };
}

import { CheckpointError, isRecord, plainCopy, validateContextSummary } from "@agent-checkpoint/handoff";
import type { RawDocument } from "../document/migrations.ts";
import type { UnifiedCheckpoint } from "../document/types.ts";
import type { CheckpointKey } from "../names/file-name.ts";
import { checkPhaseName } from "../names/phase-name.ts";
import type { Project } from "../project.ts";
import { beginRun, isNewRun } from "../steps/begin-run.ts";
import { patchPhase } from "../steps/patch-phase.ts";
import { changeStored } from "./change-stored.ts";

/** A phase and what is to be changed of it, as a caller gave them. */
export interface GivenPatch {
  readonly phase: unknown;
  readonly patch: unknown;
}

/** Changes one phase; the first work after a run that is over begins a new one. */
export function updatePhase(
  project: Project,
  key: CheckpointKey,
  { phase, patch: given }: GivenPatch,
): UnifiedCheckpoint {
  checkPhaseName(phase);
  const patch = patchOf(given, phase);
  return changeStored(project, key, (stored) => {
    const target = stored === null || isNewRun(stored, patch) ? beginRun(key, stored) : stored;
    return patchPhase(target, { phase, patch, now: project.now });
  });
}

/** A copy of the patch; a summary that is too long is refused before anything is touched. */
function patchOf(given: unknown, phase: string): RawDocument {
  const patch = plainCopy(given, "the patch");
  if (!isRecord(patch))
    throw new CheckpointError("invalid", `phase \`${phase}\`: expected an object with what is to be changed`);
  const { context_summary: summary } = patch;
  const error = summary === undefined || summary === null ? undefined : validateContextSummary(summary).error;
  if (error !== undefined) throw new CheckpointError("too-long", `phase \`${phase}\`: ${error}`);
  return patch;
}

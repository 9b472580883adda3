import {
  findResumePoint,
  type HeadComparison,
  type ResumePoint,
  type UnifiedCheckpoint,
} from "@agent-checkpoint/phases";
import type { ProjectPhases, Target } from "./project-phases.ts";

/** What `--json` prints of a checkpoint. */
export interface PhaseReport {
  /** Null where the command has none. */
  readonly checkpoint: UnifiedCheckpoint | null;
  readonly resume: ResumePoint;
  /** How HEAD lies to the commits of the checkpoint; null where there is no checkpoint. */
  readonly head: HeadComparison | null;
}

/** What is known of a command now. */
export function phaseReport({ phases, settle }: ProjectPhases, { command, feature }: Target): PhaseReport {
  const checkpoint = settle(phases.loadCheckpoint(command, feature));
  if (checkpoint === null) return { checkpoint, resume: { phase: null, summary: null }, head: null };
  return { checkpoint, resume: findResumePoint(checkpoint), head: phases.compareHead(checkpoint) };
}

import {
  findResumePoint,
  type HeadComparison,
  type ResumePoint,
  type UnifiedCheckpoint,
} from "@agent-checkpoint/phases";
import type { ProjectPhases, Target } from "./project-phases.ts";

/** What `--json` prints of a phase file. */
export interface PhaseReport {
  readonly checkpoint: UnifiedCheckpoint | null;
  readonly resume: ResumePoint;
  /** How HEAD relates to the commits of the phase file; null if there is none. */
  readonly head: HeadComparison | null;
}

/** The current state of a command. */
export function phaseReport({ phases, settle }: ProjectPhases, { command, feature }: Target): PhaseReport {
  const checkpoint = settle(phases.loadCheckpoint(command, feature));
  if (checkpoint === null) return { checkpoint, resume: { phase: null, summary: null }, head: null };
  return { checkpoint, resume: findResumePoint(checkpoint), head: phases.compareHead(checkpoint) };
}

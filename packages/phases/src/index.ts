export { getLastError, logError, setLogError } from "@agent-checkpoint/handoff";
export type { Fault, FaultCode } from "@agent-checkpoint/handoff";
export { describeHead, type HeadComparison } from "./calls/compare-head.ts";
export type { ListedCheckpoint } from "./calls/list-checkpoints.ts";
export { COMMAND_NAMES, type CommandName, type CommandPlan, COMMANDS, usualPhases } from "./commands.ts";
export { createCheckpoint } from "./create-checkpoint.ts";
export {
  completeCheckpoint,
  getResumePoint,
  getStateDir,
  loadCheckpoint,
  saveCheckpoint,
  updatePhase,
} from "./current-project.ts";
export { CheckpointSchema } from "./document/schema.ts";
export {
  type CheckpointInput,
  type CheckpointState,
  type Gate,
  type Phase,
  PHASE_STATUSES,
  type PhaseEvent,
  type PhasePatch,
  type PhaseStatus,
  type UnifiedCheckpoint,
} from "./document/types.ts";
export type { HeadRelation } from "@agent-checkpoint/git";
export type { CheckpointKey } from "./names/file-name.ts";
export { openPhases, type Phases, type PhasesOptions } from "./open-phases.ts";
export { findResumePoint, type ResumePoint } from "./steps/find-resume-point.ts";
export { isShipAllowed } from "./steps/hold-gate.ts";

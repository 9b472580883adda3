export { describeHead, type HeadComparison, type ListedCheckpoint } from "./calls.ts";
export { COMMAND_NAMES, type CommandName, type CommandPlan, COMMANDS, usualPhases } from "./commands.ts";
export {
  type CheckpointInput,
  CheckpointSchema,
  type CheckpointState,
  type Gate,
  type Phase,
  PHASE_STATUSES,
  type PhaseEvent,
  type PhasePatch,
  type PhaseStatus,
  type UnifiedCheckpoint,
} from "./document/schema.ts";
export { createCheckpoint, findResumePoint, isShipAllowed, type ResumePoint } from "./document/steps.ts";
export {
  DEFAULT_INTEGRATIONS,
  DISABLED_INTEGRATIONS,
  type Integrations,
  INTEGRATIONS_FILE,
  type IntegrationsFile,
  type IntegrationsResult,
  IntegrationsSchema,
  type LinearIntegration,
  loadIntegrations,
  parseIntegrations,
  type VercelIntegration,
} from "./handoff/integrations.ts";
export {
  type HandoffCheck,
  type HandoffDecision,
  type HandoffMode,
  type HandoffRequest,
  HandoffRequestSchema,
  type HandoffResponse,
  HandoffResponseSchema,
  type HandoffStatus,
  MODES,
} from "./handoff/messages.ts";
export { validateHandoffRequest, validateHandoffResponse } from "./handoff/validate.ts";
export type { CheckpointKey } from "./names.ts";
export {
  completeCheckpoint,
  getResumePoint,
  getStateDir,
  loadCheckpoint,
  openPhases,
  type Phases,
  type PhasesOptions,
  saveCheckpoint,
  updatePhase,
} from "./open-phases.ts";
export {
  CheckpointError,
  createReporter,
  type Fault,
  type FaultCode,
  getLastError,
  logError,
  type Reporter,
  setLogError,
} from "./report.ts";
export { findProjectRoot, type Workplace } from "./storage/state-folder.ts";
export {
  countTokens,
  estimateTokens,
  SUMMARY_LIMIT,
  type SummaryCheck,
  validateContextSummary,
} from "./tokens/context-summary.ts";
export type { HeadRelation } from "@agent-checkpoint/git";

export { checkRequest, createCheckpoint, type CreateResult } from "./create/create-checkpoint.ts";
export type { CheckpointReport } from "./report.ts";
export {
  savepointIn,
  type Savepoint,
  type SavepointOptions,
  type SavepointOutcome,
  type SavepointReport,
} from "./databases/savepoint-in.ts";
export {
  type CheckpointStatus,
  collectGarbage,
  deleteCheckpoint,
  type GcDecision,
  type GcOptions,
  type GcResult,
  listCheckpoints,
  type ListedCheckpoint,
  pinCheckpoint,
  resolveId,
  showCheckpoint,
  type ShownCheckpoint,
  type Verification,
  verifyCheckpoints,
  type VerifyLevel,
  type VerifyResult,
} from "./manage.ts";
export { CHECKPOINT_TYPES, type CheckpointType, type Manifest, type Omission } from "./manifest.ts";
export {
  DEFAULT_LIMITS,
  type Limits,
  type PlaceOptions,
  type Progress,
  type ReportProgress,
  type SafetyOptions,
} from "./place.ts";
export type { Activity, ToolInterval } from "./restore/find-foreign.ts";
export {
  abandonRestore,
  diffCheckpoint,
  type DiffResult,
  type IntoResult,
  restoreCheckpoint,
  restoreInto,
  type RestoreRequest,
  type RestoreResult,
  textDiff,
} from "./restore/restore-checkpoint.ts";
export type { RestoreReport, RevertedChange } from "./restore/restore-report.ts";
export type { CheckpointRequest } from "./scope.ts";
export type { ExpectedVersion, StateAdapter, StateJson, StateOutcome, StateValue } from "./state-adapter.ts";
export type { Trouble, TroubleCode } from "./trouble.ts";
export { noteWrites } from "./writes.ts";
export { noteInAudit } from "./workspace.ts";

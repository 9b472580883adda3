export { CHECKPOINT_TYPES, type CheckpointType } from "./checkpoint-type.ts";
export type { SafetyOptions } from "./context.ts";
export { createCheckpoint, type CreateResult } from "./create/create-checkpoint.ts";
export type { CheckpointReport } from "./create/report.ts";
export { collectGarbage, type GcOptions, type GcResult } from "./gc/collect-garbage.ts";
export type { GcDecision } from "./gc/plan-gc.ts";
export { deleteCheckpoint } from "./inspect/delete-checkpoint.ts";
export { diffCheckpoint, type DiffResult } from "./inspect/diff-checkpoint.ts";
export { listCheckpoints, type ListedCheckpoint } from "./inspect/list-checkpoints.ts";
export { pinCheckpoint } from "./inspect/delete-checkpoint.ts";
export { resolveId } from "./inspect/list-checkpoints.ts";
export { showCheckpoint, type ShownCheckpoint } from "./inspect/show-checkpoint.ts";
export { textDiff } from "./inspect/diff-checkpoint.ts";
export type { CheckpointStatus } from "./inspect/list-checkpoints.ts";
export {
  verifyCheckpoints,
  type Verification,
  type VerifyLevel,
  type VerifyResult,
} from "./inspect/verify-checkpoint.ts";
export { DEFAULT_LIMITS, type Limits } from "./context.ts";
export type { Manifest, Omission } from "./manifest/manifest.ts";
export type { PlaceOptions } from "./place.ts";
export type { Progress, ReportProgress } from "./context.ts";
export type { CheckpointRequest } from "./request/parse-request.ts";
export { abandonRestore } from "./restore/restore-checkpoint.ts";
export type { Activity, ToolInterval } from "./restore/find-foreign.ts";
export { restoreCheckpoint, type RestoreRequest, type RestoreResult } from "./restore/restore-checkpoint.ts";
export { type IntoResult, restoreInto } from "./restore/restore-into.ts";
export type { RevertedChange } from "./restore/restore-report.ts";
export type { RestoreReport } from "./restore/restore-report.ts";
export {
  savepointIn,
  type Savepoint,
  type SavepointOptions,
  type SavepointOutcome,
  type SavepointReport,
} from "./savepoint/savepoint-in.ts";
export type { ExpectedVersion, StateAdapter, StateJson, StateOutcome, StateValue } from "./state/state-adapter.ts";
export type { Trouble, TroubleCode } from "./trouble.ts";
export { noteWrites } from "./writes/note-writes.ts";

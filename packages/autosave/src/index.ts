export { type SectionProblem, type SectionUpdate, updateSection } from "./document/update-section.ts";
export { describeSave, type SaveWords } from "./save/describe-save.ts";
export { recoverWork } from "./save/journal.ts";
export { finishPush, type PushFault, type PushOutcome, type PushRequest, pushWithRetries } from "./save/push.ts";
export type { Refusal } from "./save/repository.ts";
export { type RecordedSave, saveAndRecord } from "./save/save-and-record.ts";
export {
  type AutonomousExecution,
  executionOf,
  isSaved,
  type SaveOptions,
  type SaveOutcome,
  type SaveReport,
  type SaveRequest,
  type SaveStep,
} from "./save/save-report.ts";
export { saveWork } from "./save/save-work.ts";
export {
  decideTrigger,
  markAfterSave,
  parseThreshold,
  type Threshold,
  type Trigger,
  type TriggerFacts,
} from "./usage/decide-trigger.ts";
export {
  type BridgedUsage,
  payloadUsage,
  readBridge,
  readUsage,
  type Usage,
  type UsageSources,
  writeBridge,
} from "./usage/read-usage.ts";

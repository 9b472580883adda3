export {
  assembleCheckpoint,
  type ChangedInScope,
  type Checkpoint,
  type CheckpointFacts,
  explainCheckpoint,
  modesOf,
} from "./assemble-checkpoint.ts";
export { withRepository } from "./get-checkpoint-content.ts";
export { findProject, findRules, listMoved, type Project } from "./find-project.ts";
export { type Addition, concludeStop, type Concluding, type Conclusion, type Sent } from "./gate/conclude-stop.ts";
export type { Moment, Outcome, Place, PromptEvent, StopEvent } from "./gate/events.ts";
export { type JudgedStop, judgeStop, type WeighedStop, weighStop } from "./gate/judge-stop.ts";
export { notePrompt } from "./gate/note-prompt.ts";
export { type PassReason, reasonByClock, reasonToPass } from "./gate/judge-stop.ts";
export { gatherStopFacts, type StopFacts, type StopRecords } from "./gate/stop-facts.ts";
export { opensTurn } from "./gate/stop-facts.ts";
export { syncBeside } from "./gate/sync-beside.ts";
export { buildCheckpointMessage, type CheckpointRequest, getCheckpointContent } from "./get-checkpoint-content.ts";
export { type DeliveryReason } from "./assemble-checkpoint.ts";
export { ALL_CLEAR, CAPTURE, CLOSING, GENERIC_MESSAGE, isOwnMessage, MESSAGE_PREFIX } from "./message/texts.ts";
export { type LoadedRules, loadRules } from "./rules/load-rules.ts";
export { CONFIG_FILE, detectPreset, TEAM_FILE } from "./rules/read-configs.ts";
export { isSafeSlug, readPlan } from "./rules/read-configs.ts";
export { settleOutcomes } from "./outcomes/settle-outcomes.ts";
export { ABSENT, ledgerOf, verificationsOf, verifyContents } from "./outcomes/verify-contents.ts";
export { moveRules } from "./outcomes/move-rules.ts";
export {
  type OutcomeCounts,
  type RuleWeight,
  type Suggestion,
  weighRule,
  WINDOW as ANSWERS_THAT_COUNT,
} from "./outcomes/weigh-rule.ts";
export { type RuleStanding, weighRules } from "./outcomes/weigh-rules.ts";
export { takeBaseline } from "./session/baseline.ts";
export { markFiles, proofsOf } from "./session/settled-files.ts";
export { type SessionKnowledge, writeTimes } from "./session/select-files.ts";

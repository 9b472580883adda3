// `readTurn` takes a place.
export { type ProjectPlace, toProjectPath } from "@agent-checkpoint/commands";
export { findEvidence, type Evidence } from "./evidence/find-evidence.ts";
export { findRuns, type FoundRun } from "./evidence/find-runs.ts";
export { explainTurn } from "./explain/explain-turn.ts";
export type {
  ActionExplanation,
  CallReference,
  Candidate,
  CandidateVerdict,
  Explanation,
  FileExplanation,
  ObservationExplanation,
  PatternMatch,
  StepExplanation,
} from "./explain/explanation.ts";
export { inlineCode } from "./foreign-text.ts";
export { plainWords } from "./foreign-text.ts";
export { isQuestion, wantsNoTests } from "./plain-language.ts";
export { runHeuristics } from "./weigh-turn.ts";
export { type FileChange, readTurn, type Turn, type TurnCall } from "./turn/read-turn.ts";
export { mayWriteUnnamed } from "./turn/unnamed-writes.ts";
export type {
  CheckpointContext,
  CheckpointResult,
  Observation,
  RepositoryFacts,
  RequiredAction,
  TurnFacts,
} from "./types.ts";

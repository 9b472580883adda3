export { extractToolCallsBetween } from "./extract-tool-calls-between.ts";
export { extractToolCallsCurrentTurn, extractToolCallsCurrentTurnSync } from "./extract-tool-calls-current-turn.ts";
export { findTranscript, type Recognition, recogniseTranscript } from "./find-transcript.ts";
export { AGENT_NAMES, type AgentName } from "./formats/agent-names.ts";
export type { TranscriptQuery } from "./formats/format.ts";
export { type AfterStop, readAfterStop } from "./read-after-stop.ts";
export { readContextUsage } from "./read-context-usage.ts";
export { readTurnAtStop } from "./read-turn-at-stop.ts";
export { readTurns } from "./read-turns.ts";
export type {
  ContextUsage,
  NoDataReason,
  PastTurn,
  Session,
  ToolCallRecord,
  ToolKind,
  TranscriptRange,
  TurnAtStop,
  TurnEnding,
  TurnHints,
  TurnPrompt,
  TurnTimeline,
  TurnsEnd,
} from "./types.ts";

export { extractToolCallsBetween } from "./extract-tool-calls-between.ts";
export { extractToolCallsCurrentTurn, extractToolCallsCurrentTurnSync } from "./extract-tool-calls-current-turn.ts";
export { findTranscript } from "./find-transcript.ts";
export { readContextUsage } from "./read-context-usage.ts";
export { type WaitOptions, waitForText } from "./wait-for-text.ts";
export type {
  AgentName,
  ContextUsage,
  NoDataReason,
  ToolCallRecord,
  ToolKind,
  TranscriptQuery,
  TranscriptRange,
  TurnHints,
  TurnPrompt,
  TurnTimeline,
} from "./types.ts";

export { extractToolCallsBetween } from "./extract-tool-calls-between.ts";
export { extractToolCallsCurrentTurn, extractToolCallsCurrentTurnSync } from "./extract-tool-calls-current-turn.ts";
export { findTranscript } from "./find-transcript.ts";
export { AGENT_NAMES } from "./formats/agent-names.ts";
export { readContextUsage } from "./read-context-usage.ts";
export { readTurnAtStop } from "./read-turn-at-stop.ts";
export { readTurns } from "./read-turns.ts";
export { recogniseTranscript } from "./recognise-transcript.ts";
export { type WaitOptions, waitForText } from "./wait-for-text.ts";
export type {
  AgentName,
  ContextUsage,
  NoDataReason,
  PastTurn,
  Recognition,
  Session,
  ToolCallRecord,
  ToolKind,
  TranscriptQuery,
  TranscriptRange,
  TurnAtStop,
  TurnEnding,
  TurnHints,
  TurnPrompt,
  TurnTimeline,
  TurnsEnd,
} from "./types.ts";

export { type PassReason, reasonToPass, type StopState } from "./decide-stop.ts";
export type { PromptEvent, StopEvent } from "./events.ts";
export { judgeStop, type Judging, type Sent } from "./judge-stop.ts";
export { notePrompt, opensTurn } from "./note-prompt.ts";
export type { Outcome, Place } from "./place.ts";
export { previewStop, type StopPreview } from "./preview-stop.ts";
export type { AnswerExtras, SavedWork, SaveFacts, SaveLook, Saving } from "./saving.ts";
export type { StopRecords } from "./stop-facts.ts";
export { stopRow, type StopVerdict } from "./stop-row.ts";

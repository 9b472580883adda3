/** What a program needs that is started for one event; what weighs a stop's content is loaded when it comes to that. */
export type { PromptEvent, StopEvent } from "./events.ts";
export { judgeStop } from "./judge-stop.ts";
export { notePrompt } from "./note-prompt.ts";
export type { Outcome } from "./place.ts";

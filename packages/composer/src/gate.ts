/** What a program needs that is started for one event; the code that judges the content of a stop is loaded on demand. */
export { concludeStop } from "./gate/conclude-stop.ts";
export type { PromptEvent, StopEvent } from "./gate/events.ts";
export { judgeStop, weighStop } from "./gate/judge-stop.ts";
export { notePrompt } from "./gate/note-prompt.ts";
export { gatherStopFacts } from "./gate/stop-facts.ts";
export { syncBeside } from "./gate/sync-beside.ts";
export { opensTurn } from "./gate/stop-facts.ts";
export { findRules } from "./find-project.ts";
export { recallConfigs } from "./rules/read-configs.ts";

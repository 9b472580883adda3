/** What a program needs that is started for one stop; what judges its content is loaded when it comes to that. */
export { concludeStop } from "./conclude-stop.ts";
export type { StopEvent } from "./events.ts";
export { judgeStop, weighStop } from "./judge-stop.ts";
export { gatherStopFacts } from "./stop-facts.ts";

/** What a program needs that is started for one stop; what weighs its content is loaded when it comes to that. */
export type { StopEvent } from "./events.ts";
export { judgeStop } from "./judge-stop.ts";

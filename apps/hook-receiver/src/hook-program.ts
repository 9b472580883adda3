/** What the small program that agents start loads first. */
export { reportAtStart } from "./report-at-start.ts";
export { runProgram } from "./run-program.ts";

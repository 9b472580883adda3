export { findReports } from "./find-reports.ts";
export { extensionsOf, type Language, languagesOfFile } from "./languages.ts";
export { type Runner, type RunnerId, RUNNERS } from "./runners.ts";
export type { TestReport } from "./types.ts";

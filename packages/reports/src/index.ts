export { findReports } from "./find-reports.ts";
export {
  CODE_EXTENSIONS,
  extensionsOf,
  isTestFile,
  type Language,
  type LanguageRow,
  LANGUAGES,
  languagesOfFile,
} from "./languages.ts";
export { type Runner, type RunnerId, RUNNERS } from "./runners.ts";
export type { TestReport } from "./types.ts";

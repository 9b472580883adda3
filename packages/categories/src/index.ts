export { asksForTests, type Categorization, categorize, type CategoryMatch, isInCategory } from "./categorize.ts";
export { type ConfigProblem, describeProblem } from "./config/config-problem.ts";
export { type ConfigResult, parseConfig } from "./config/parse-config.ts";
export { type NamedConfig, resolveRules, type RulesResult } from "./config/resolve-rules.ts";
export type { ActionEntry, CategoryEntry, Config, StepEntry } from "./config/config.ts";
export { configSchema } from "./config/schema.ts";
export { matchesAny } from "./globs.ts";
export { PRESETS, type PresetName } from "./presets/presets.ts";
export { SAFETY_DEFAULTS, type SafetyRules } from "./safety-rules.ts";
export { SAVE_DEFAULTS, type SaveMode, type SaveRules, type StatusDocument } from "./save-rules.ts";
export {
  type Action,
  type ActionStep,
  type Category,
  CHECK_IDS,
  type CheckId,
  type Delivery,
  RULE_MODES,
  type RuleMode,
  type Rules,
  type Scope,
  type Stage,
  KINDS_THAT_COUNT,
  TESTS_ACTION,
} from "./types.ts";

export { asksForTests, type Categorization, categorize, type CategoryMatch, isInCategory } from "./categorize.ts";
export { type ConfigProblem, type ConfigResult, describeProblem, parseConfig } from "./config/parse-config.ts";
export { type NamedConfig, resolveRules, type RulesResult } from "./config/resolve-rules.ts";
export { type ActionEntry, type CategoryEntry, type Config, ConfigSchema, type StepEntry } from "./config/schema.ts";
export { matchesAny } from "./matches-any.ts";
export { PRESETS, type PresetName } from "./presets/presets.ts";
export {
  type Action,
  type ActionStep,
  type Category,
  type CheckId,
  type Delivery,
  type Rules,
  type Scope,
  type Stage,
  TESTS_ACTION,
} from "./types.ts";

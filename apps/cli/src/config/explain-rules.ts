import {
  type Action,
  type Category,
  CHECK_IDS,
  type CheckId,
  type Config,
  type NamedConfig,
  type Rules,
  SAFETY_DEFAULTS,
  type SafetyRules,
  SAVE_DEFAULTS,
  type SaveRules,
} from "@agent-checkpoint/categories";

/** A value with where it comes from: a config file, the preset, a default, or what was detected. */
export interface Sourced<Value> {
  readonly value: Value;
  readonly source: string;
}

/** The rules in force, each value with its source. */
export interface ExplainedRules {
  readonly preset: Sourced<string>;
  readonly settings: readonly (Sourced<unknown> & { readonly key: string })[];
  readonly checks: readonly (Sourced<boolean> & { readonly id: CheckId })[];
  readonly actions: readonly Sourced<Action>[];
  readonly categories: readonly Sourced<Category>[];
  /** Rows that a config takes out. */
  readonly off: readonly { readonly kind: RowKind; readonly id: string; readonly source: string }[];
}

type RowKind = "action" | "category";

/** What a config may set, in the order of the documentation. */
const SETTINGS = [
  "scope",
  "untracked",
  "captureOnly",
  "allClear",
  "timerSeconds",
  "keepDays",
  "baseline",
  "docs",
] as const satisfies readonly (keyof Config & keyof Rules)[];

/** What only a preset decides. */
const PRESET_ONLY = ["unchanged", "withoutGit", "hygieneBlocks"] as const satisfies readonly (keyof Rules)[];

const SAFETY_KEYS = Object.keys(SAFETY_DEFAULTS) as readonly (keyof SafetyRules)[];
const SAVE_KEYS = Object.keys(SAVE_DEFAULTS) as readonly (keyof SaveRules)[];

/** Says of every value of the rules which layer it comes from; `configs` lie over the preset in their order. */
export function explainRules(rules: Rules, configs: readonly NamedConfig[]): ExplainedRules {
  const preset = rules.preset === "none" ? "no preset" : `preset ${rules.preset}`;
  const last = (has: (config: Config) => boolean) => configs.findLast(({ config }) => has(config))?.file;
  const rowSource = (key: "actions" | "categories", id: string) =>
    last((config) => config[key]?.some((row) => row.id === id) === true) ?? preset;
  return {
    preset: { value: rules.preset, source: last((config) => config.preset !== undefined) ?? "detected" },
    settings: [
      ...SETTINGS.map((key) => ({
        key,
        value: rules[key],
        source: last((config) => config[key] !== undefined) ?? preset,
      })),
      ...PRESET_ONLY.map((key) => ({ key, value: rules[key], source: preset })),
      ...SAFETY_KEYS.map((key) => ({
        key: `safety.${key}`,
        value: (rules.safety ?? SAFETY_DEFAULTS)[key],
        source: last((config) => config.safety?.[key] !== undefined) ?? "default",
      })),
      ...SAVE_KEYS.map((key) => ({
        key: `save.${key}`,
        value: (rules.save ?? SAVE_DEFAULTS)[key],
        source: last((config) => config.save?.[key] !== undefined) ?? "default",
      })),
    ],
    checks: CHECK_IDS.map((id) => ({
      id,
      value: rules.checks[id],
      source: last((config) => config.checks?.[id] !== undefined) ?? preset,
    })),
    actions: rules.actions.map((value) => ({ value, source: rowSource("actions", value.id) })),
    categories: rules.categories.map((value) => ({ value, source: rowSource("categories", value.id) })),
    off: [
      ...switchedOff(configs, "actions").map((row) => ({ kind: "action" as const, ...row })),
      ...switchedOff(configs, "categories").map((row) => ({ kind: "category" as const, ...row })),
    ],
  };
}

/** The rows whose last mention takes them out. */
function switchedOff(configs: readonly NamedConfig[], key: "actions" | "categories") {
  const rows = new Map<string, { readonly id: string; readonly source: string; readonly isOff: boolean }>();
  for (const { file, config } of configs)
    for (const { id, off } of config[key] ?? []) rows.set(id, { id, source: file, isOff: off === true });
  return [...rows.values()].filter(({ isOff }) => isOff).map(({ id, source }) => ({ id, source }));
}

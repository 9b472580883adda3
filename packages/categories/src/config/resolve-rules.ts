import { PRESETS, type PresetName } from "../presets/presets.ts";
import { SAVE_DEFAULTS, type SaveRules } from "../save-rules.ts";
import {
  type Action,
  type ActionStep,
  type Category,
  CHECK_IDS,
  KINDS_THAT_COUNT,
  type Rules,
  STAGES,
  TESTS_ACTION,
} from "../types.ts";
import type { ConfigProblem } from "./config-problem.ts";
import { SAFETY_DEFAULTS, type SafetyRules } from "../safety-rules.ts";
import type { ActionEntry, CategoryEntry, Config, SafetyEntry, SaveEntry, StepEntry } from "./config.ts";

/** The rules in force, or what in the config files contradicts itself. */
export type RulesResult =
  | { readonly ok: true; readonly rules: Rules }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** A config with the name of the file it came from. */
export interface NamedConfig {
  readonly file: string;
  readonly config: Config;
}

/** Applies config files to a preset, each to the result of the one before; the last one that names a preset chooses it. */
export function resolveRules(defaultPreset: PresetName, configs: readonly NamedConfig[]): RulesResult {
  const preset = configs.findLast(({ config }) => config.preset !== undefined)?.config.preset ?? defaultPreset;
  const base: Rules = preset === "none" ? { ...PRESETS.generic, preset, categories: [], actions: [] } : PRESETS[preset];
  let rules = base;
  const problems: ConfigProblem[] = [];
  for (const { file, config } of configs) {
    rules = overlay(rules, config);
    problems.push(...danglingNames(rules, config, file));
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, rules };
}

function overlay(rules: Rules, config: Config): Rules {
  return {
    ...rules,
    categories: mergeRows(rules.categories, config.categories ?? [], toCategory),
    actions: inStageOrder(mergeRows(rules.actions, config.actions ?? [], toAction)),
    docs: config.docs ?? rules.docs,
    baseline: config.baseline ?? rules.baseline,
    checks: mergeChecks(rules.checks, config.checks ?? {}),
    modes: { ...rules.modes, ...config.modes },
    noise: config.noise ?? rules.noise,
    timerSeconds: config.timerSeconds ?? rules.timerSeconds,
    captureOnly: config.captureOnly ?? rules.captureOnly,
    allClear: config.allClear ?? rules.allClear,
    commitStep: config.commitStep ?? rules.commitStep,
    captureReminder: config.captureReminder ?? rules.captureReminder,
    untracked: config.untracked ?? rules.untracked,
    scope: config.scope ?? rules.scope,
    keepDays: config.keepDays ?? rules.keepDays,
    ...(config.safety !== undefined && { safety: mergeSafety(rules.safety ?? SAFETY_DEFAULTS, config.safety) }),
    ...(config.save !== undefined && { save: mergeSave(rules.save ?? SAVE_DEFAULTS, config.save) }),
  };
}

function mergeSafety(rules: SafetyRules, { gate, freshMinutes, keepDays, snapshot }: SafetyEntry): SafetyRules {
  return {
    gate: gate ?? rules.gate,
    freshMinutes: freshMinutes ?? rules.freshMinutes,
    keepDays: keepDays ?? rules.keepDays,
    snapshot: snapshot ?? rules.snapshot,
  };
}

function mergeSave(rules: SaveRules, entry: SaveEntry): SaveRules {
  const given = Object.entries(entry).filter(([, value]) => value !== undefined);
  return { ...rules, ...Object.fromEntries(given) };
}

/** A row with a known id replaces that row, `off` removes it, a new one is added at the end. */
function mergeRows<
  Row extends { readonly id: string },
  Entry extends { readonly id: string; readonly off?: boolean | undefined },
>(rows: readonly Row[], entries: readonly Entry[], toRow: (entry: Entry) => Row): readonly Row[] {
  const merged = new Map(rows.map((row) => [row.id, row]));
  for (const entry of entries) {
    if (entry.off === true) merged.delete(entry.id);
    else merged.set(entry.id, toRow(entry));
  }
  return [...merged.values()];
}

function toCategory(entry: CategoryEntry): Category {
  return {
    id: entry.id,
    label: entry.label ?? entry.id,
    plural: entry.plural ?? false,
    include: entry.include ?? [],
    exclude: entry.exclude ?? [],
    action: entry.action ?? null,
    tests: entry.tests ?? false,
    isFromConfig: true,
  };
}

function toAction(entry: ActionEntry): Action {
  const steps = (entry.steps ?? []).map((step) => toStep(step, entry.id));
  const runs = steps.map(({ run }) => `\`${run}\``).join(" then ");
  return {
    id: entry.id,
    stage: entry.stage ?? "prepare",
    instruction: entry.instruction ?? `Run ${runs}`,
    steps,
  };
}

/** Only tests and static checks may leave their evidence open: any other action could never be met. */
function toStep(step: StepEntry, id: string): ActionStep {
  if (typeof step === "string") return { run: step, evidence: [step] };
  const { run, evidence = [run] } = step;
  return { run, evidence: evidence.length === 0 && !KINDS_THAT_COUNT.has(id) ? [run] : evidence };
}

function inStageOrder(actions: readonly Action[]): readonly Action[] {
  return STAGES.flatMap((stage) => actions.filter((action) => action.stage === stage));
}

function danglingNames(rules: Rules, config: Config, file: string): ConfigProblem[] {
  const known = new Set(rules.actions.map(({ id }) => id));
  const expected = `the id of an action (${[...known].join(", ") || "none is defined"})`;
  const problem = (key: string, name: string) => ({ file, key, expected, found: `"${name}"` });
  const rows = (config.categories ?? []).flatMap(({ action, tests, off }, index) => [
    ...(action && off !== true && !known.has(action) ? [problem(`categories[${index}].action`, action)] : []),
    ...(tests !== undefined && tests !== false && off !== true && !known.has(TESTS_ACTION)
      ? [
          {
            file,
            key: `categories[${index}].tests`,
            expected: `an action with the id "${TESTS_ACTION}"`,
            found: "none",
          },
        ]
      : []),
  ]);
  const baseline = (config.baseline ?? []).flatMap((name, index) =>
    known.has(name) ? [] : [problem(`baseline[${index}]`, name)],
  );
  return [...rows, ...baseline];
}

function mergeChecks(checks: Rules["checks"], changes: NonNullable<Config["checks"]>): Rules["checks"] {
  const merged = { ...checks };
  for (const id of CHECK_IDS) merged[id] = changes[id] ?? checks[id];
  return merged;
}

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
  TESTS_ACTION,
} from "@agent-checkpoint/categories";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { repositoryOf } from "../sessions/repository-of.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { wrapText } from "../terminal/layout.ts";
import { adviceFor, checkHere, renderProblems } from "./check-config.ts";

/** `config show`: the rules that apply here, each value with its source. */
export function showConfig({ json }: { readonly json?: true }, context: CommandContext): void {
  const root = repositoryOf(context.cwd);
  const { sources, rules, problems } = checkHere(root, context.home);
  const files = sources.map(({ file, path, exists }) => ({ file, path, exists }));
  if (rules === null) {
    const said = problems.map((problem) => ({ ...problem, advice: adviceFor(problem) }));
    context.out(json === true ? toJson({ root, files, problems: said }) : renderProblems(problems, context));
    context.exit(EXIT.found);
    return;
  }
  const explained = explainRules(
    rules,
    sources.flatMap(({ named }) => named ?? []),
  );
  context.out(json === true ? toJson({ root, files, ...explained }) : renderRules(root, explained, context));
}

/** A value and its source: a config file, the preset, a default, or detection. */
export interface Sourced<Value> {
  readonly value: Value;
  readonly source: string;
}

/** The rules that apply, each value with its source. */
export interface ExplainedRules {
  readonly preset: Sourced<string>;
  readonly settings: readonly (Sourced<unknown> & { readonly key: string })[];
  readonly checks: readonly (Sourced<boolean> & { readonly id: CheckId })[];
  readonly actions: readonly Sourced<Action>[];
  readonly categories: readonly Sourced<Category>[];
  /** Rows that a config removes. */
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

/** The source layer of every value of the rules; `configs` apply to the preset in their order. */
export function explainRules(rules: Rules, configs: readonly NamedConfig[]): ExplainedRules {
  const preset = rules.preset === "none" ? "no preset" : `preset ${rules.preset}`;
  const last = (has: (config: Config) => boolean) => configs.findLast(({ config }) => has(config))?.file;
  const rowSource = (key: "actions" | "categories", id: string) =>
    last((config) => config[key]?.some((row) => row.id === id) === true) ?? preset;
  return {
    preset: { value: rules.preset, source: last((config) => config.preset !== undefined) ?? "detected" },
    settings: [
      ...SETTINGS.map((key) => ({ key, value: rules[key], source: last((one) => one[key] !== undefined) ?? preset })),
      ...PRESET_ONLY.map((key) => ({ key, value: rules[key], source: preset })),
      ...SAFETY_KEYS.map((key) => ({
        key: `safety.${key}`,
        value: (rules.safety ?? SAFETY_DEFAULTS)[key],
        source: last(({ safety }) => safety?.[key] !== undefined) ?? "default",
      })),
      ...SAVE_KEYS.map((key) => ({
        key: `save.${key}`,
        value: (rules.save ?? SAVE_DEFAULTS)[key],
        source: last(({ save }) => save?.[key] !== undefined) ?? "default",
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

/** The rows whose last mention removes them. */
function switchedOff(configs: readonly NamedConfig[], key: "actions" | "categories") {
  const rows = new Map<string, { readonly id: string; readonly source: string; readonly isOff: boolean }>();
  for (const { file, config } of configs)
    for (const { id, off } of config[key] ?? []) rows.set(id, { id, source: file, isOff: off === true });
  return [...rows.values()].filter(({ isOff }) => isOff).map(({ id, source }) => ({ id, source }));
}

type Page = Pick<CommandContext, "style" | "columns">;

/** The rules as text: what is asked for, for which files, and by which layer. */
export function renderRules(root: string, rules: ExplainedRules, page: Page): string {
  const { preset, actions, categories, settings, checks, off } = rules;
  const known = new Set(actions.map(({ value }) => value.id));
  const asking = categories.filter(({ value }) => asksOf(value, known).length > 0);
  const silent = categories.filter(({ value }) => asksOf(value, known).length === 0).map(({ value }) => value.id);
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ["Actions, in the order of the checklist", actions.map((row) => renderAction(row, page))],
    ["Files that ask for something", asking.map((row) => renderCategory(row, known, page))],
    ["Files that ask for nothing", silent.length === 0 ? [] : [list(silent, page)]],
    ["Removed", off.map(({ kind, id, source }) => entry(`${kind} ${id}`, source, page))],
    ["Settings", settings.map(({ key, value, source }) => entry(`${key}: ${formatValue(value)}`, source, page))],
    ["Observations", checks.map(({ id, value, source }) => entry(`${id}: ${value ? "on" : "off"}`, source, page))],
  ];
  return [
    `Rules of ${page.style.bold(visible(root))}\n${entry(`Preset ${preset.value}`, preset.source, page).trimStart()}`,
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .map(([title, lines]) => `${page.style.bold(title)}\n${lines.join("")}`),
  ].join("\n");
}

function renderAction({ value, source }: Sourced<Action>, page: Page): string {
  const own = value.id === TESTS_ACTION ? () => "any run of the tests for the changed file" : (run: string) => run;
  const steps = value.steps.map(({ run, evidence }) => detail("counts", evidence.join(", ") || own(run), page));
  return [entry(value.id, source, page), detail("asks", value.instruction, page), ...steps].join("");
}

function renderCategory({ value, source }: Sourced<Category>, known: ReadonlySet<string>, page: Page): string {
  const { id, include, exclude = [] } = value;
  return [
    entry(id, source, page),
    detail("asks", asksOf(value, known).join(", "), page),
    detail("files", include.join(" "), page),
    exclude.length === 0 ? "" : detail("not", exclude.join(" "), page),
  ].join("");
}

/** What a change to the row's files asks for, without removed actions. */
function asksOf({ action, tests }: Category, known: ReadonlySet<string>): readonly string[] {
  const named = [...(action === null ? [] : [action]), ...(tests === false ? [] : [TESTS_ACTION])];
  return named.filter((id) => known.has(id));
}

/** A line with its source behind it. */
function entry(text: string, source: string, { style, columns }: Page): string {
  const behind = `(${visible(source)})`;
  const wrapped = wrapText(`${visible(text)} ${behind}`, { columns, first: "  ", rest: "    " });
  return wrapped.replace(behind, () => style.dim(behind));
}

function detail(name: string, text: string, { columns }: Page): string {
  return wrapText(visible(text), { columns, first: `    ${name.padEnd(8)}` });
}

function list(words: readonly string[], { columns }: Page): string {
  return wrapText(words.map(visible).join(", "), { columns, first: "  " });
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(" ");
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}

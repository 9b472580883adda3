import { expect, test } from "vitest";
import { PRESETS } from "../presets/presets.ts";
import type { SafetyRules } from "../safety-rules.ts";
import { SAVE_DEFAULTS, type SaveRules } from "../save-rules.ts";
import { resolveRules } from "./resolve-rules.ts";
import type { Config } from "./config.ts";

function rulesOf(...configs: Config[]) {
  const result = resolveRules(
    "teleclaude",
    configs.map((config, index) => ({ file: `${index}.json`, config })),
  );
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.rules;
}

test("without a config the preset stands as it is", () => {
  expect(rulesOf()).toEqual(PRESETS.teleclaude);
});

test("a row of a known id is replaced in its place, a new one added, one switched off removed", () => {
  const { categories } = rulesOf({
    categories: [
      { id: "config", label: "settings", include: ["settings/**"], action: "restart-daemon" },
      { id: "migrations", include: ["migrations/**"], tests: true },
      { id: "tui-code", off: true },
    ],
  });
  expect(categories.map(({ id, label }) => `${id}: ${label}`)).toEqual([
    "telec-setup: telec setup",
    "dependencies: dependencies",
    "daemon-code: daemon code",
    "config: settings",
    "agent-artifacts: agent artifacts",
    "hook-runtime: hook runtime code",
    "tests-only: tests",
    "migrations: migrations",
  ]);
});

test("a new action takes its place by stage", () => {
  const { actions } = rulesOf({
    actions: [
      { id: "lint", stage: "validate", steps: ["npm run lint"] },
      {
        id: "migrate",
        steps: ["npm run migrate", { run: "npm run seed", evidence: ["npm run seed", "npm run fill"] }],
      },
    ],
  });
  expect(actions.map(({ id }) => id)).toEqual([
    "telec-init",
    "install-dependencies",
    "restart-daemon",
    "reload-tui",
    "restart-agents",
    "migrate",
    "check-logs",
    "tests",
    "lint",
  ]);
  expect(actions.find(({ id }) => id === "migrate")).toEqual({
    id: "migrate",
    stage: "prepare",
    instruction: "Run `npm run migrate` then `npm run seed`",
    steps: [
      { run: "npm run migrate", evidence: ["npm run migrate"] },
      { run: "npm run seed", evidence: ["npm run seed", "npm run fill"] },
    ],
  });
});

test("preset none starts from an empty table", () => {
  const { categories, actions } = rulesOf({ preset: "none" });
  expect({ categories, actions }).toEqual({ categories: [], actions: [] });
});

test("the later config lies over the earlier one", () => {
  const rules = rulesOf(
    { preset: "generic", timerSeconds: 5, checks: { "wide-change": false } },
    { timerSeconds: 60, allClear: "deliver", checks: { "edit-without-read": false } },
  );
  expect(rules).toEqual({
    ...PRESETS.generic,
    timerSeconds: 60,
    allClear: "deliver",
    checks: { ...PRESETS.generic.checks, "wide-change": false, "edit-without-read": false },
  });
});

const saves: { told: string; configs: Config[]; save: SaveRules | undefined }[] = [
  { told: "nowhere", configs: [{}], save: undefined },
  { told: "with nothing in it", configs: [{ save: {} }], save: SAVE_DEFAULTS },
  { told: "for one key", configs: [{ save: { threshold: 60 } }], save: { ...SAVE_DEFAULTS, threshold: 60 } },
  {
    told: "in two files",
    configs: [{ save: { threshold: 60, push: true } }, {}, { save: { threshold: 70, coAuthor: undefined } }],
    save: { ...SAVE_DEFAULTS, threshold: 70, push: true },
  },
  {
    told: "for a list",
    configs: [{ save: { protectedBranches: ["trunk"] } }],
    save: { ...SAVE_DEFAULTS, protectedBranches: ["trunk"] },
  },
];
test.for(saves)("how work is saved, told $told", ({ configs, save }) => {
  expect(rulesOf(...configs).save).toEqual(save);
});

test("every key lies over the preset's", () => {
  const config = {
    docs: ["notes/**"],
    baseline: ["tests"],
    timerSeconds: 0,
    captureOnly: "silent",
    allClear: "silent",
    untracked: false,
    scope: "session",
    keepDays: 7,
    noise: "auto",
  } as const;
  expect(rulesOf(config)).toEqual({ ...PRESETS.teleclaude, ...config });
});

test("what a row leaves out", () => {
  const { categories } = rulesOf({ preset: "none", categories: [{ id: "api", include: ["api/**"] }] });
  expect(categories).toEqual([
    {
      id: "api",
      label: "api",
      plural: false,
      include: ["api/**"],
      exclude: [],
      action: null,
      tests: false,
      isFromConfig: true,
    },
  ]);
});

test("what a row says", () => {
  const row = {
    label: "APIs",
    plural: true,
    include: ["api/**"],
    exclude: ["api/x"],
    action: "tests",
    tests: ["**/*.py"],
  };
  const { categories } = rulesOf({ categories: [{ id: "api", ...row }] });
  expect(categories.at(-1)).toEqual({ id: "api", ...row, isFromConfig: true });
});

test("an action of its own words", () => {
  const { actions } = rulesOf({ preset: "none", actions: [{ id: "a", instruction: "Do it", steps: [{ run: "x" }] }] });
  expect(actions).toEqual([
    { id: "a", stage: "prepare", instruction: "Do it", steps: [{ run: "x", evidence: ["x"] }] },
  ]);
});

test("an action switched off is gone", () => {
  const { actions } = rulesOf({ preset: "teleclaude", actions: [{ id: "telec-init", off: true }] });
  expect(actions).toEqual(PRESETS.teleclaude.actions.filter(({ id }) => id !== "telec-init"));
});

test("the last config that names a preset chooses it", () => {
  expect(rulesOf({ preset: "teleclaude" }, { preset: "generic" }, {})).toEqual(PRESETS.generic);
});

test("preset none is quiet", () => {
  expect(rulesOf({ preset: "none" })).toEqual({ ...PRESETS.generic, preset: "none", categories: [], actions: [] });
});

const safeties: { told: string; configs: Config[]; safety: SafetyRules | undefined }[] = [
  { told: "nowhere", configs: [{}], safety: undefined },
  {
    told: "with nothing in it",
    configs: [{ safety: {} }],
    safety: { gate: false, freshMinutes: 30, keepDays: 30, snapshot: "off" },
  },
  {
    told: "for one key",
    configs: [{ safety: { gate: true } }],
    safety: { gate: true, freshMinutes: 30, keepDays: 30, snapshot: "off" },
  },
  {
    told: "in two files",
    configs: [{ safety: { gate: true, keepDays: 7, snapshot: "blocked" } }, { safety: { freshMinutes: 5 } }],
    safety: { gate: true, freshMinutes: 5, keepDays: 7, snapshot: "blocked" },
  },
];
test.for(safeties)("whether a change needs a checkpoint first, told $told", ({ configs, safety }) => {
  expect(rulesOf(...configs).safety).toEqual(safety);
});

const dangling: { config: Config; key: string; expected: string; found: string }[] = [
  {
    config: {
      preset: "teleclaude",
      categories: [
        { id: "x", off: true },
        { id: "api", include: ["a"], action: "reload" },
      ],
    },
    key: "categories[1].action",
    expected: `the id of an action (${PRESETS.teleclaude.actions.map(({ id }) => id).join(", ")})`,
    found: '"reload"',
  },
  {
    config: { preset: "none", baseline: ["logs"] },
    key: "baseline[0]",
    expected: "the id of an action (none is defined)",
    found: '"logs"',
  },
  {
    config: { preset: "none", categories: [{ id: "a", include: ["a"], tests: true }] },
    key: "categories[0].tests",
    expected: 'an action with the id "tests"',
    found: "none",
  },
  {
    config: { preset: "none", categories: [{ id: "a", include: ["a"], tests: ["**/*.py"] }] },
    key: "categories[0].tests",
    expected: 'an action with the id "tests"',
    found: "none",
  },
];
test.for(dangling)("$key names nothing: $found", ({ config, ...problem }) => {
  const result = resolveRules("teleclaude", [
    { file: "a.json", config: {} },
    { file: "c.json", config },
  ]);
  expect(result).toEqual({ ok: false, problems: [{ file: "c.json", ...problem }] });
});

const unasked: Config[] = [
  { categories: [{ id: "a", off: true, action: "reload", tests: true }] },
  { categories: [{ id: "a", include: ["a"], tests: false, action: null }] },
  { categories: [{ id: "a", include: ["a"] }], baseline: [] },
];
test.for(unasked)("%o names nothing that is not there", (config) => {
  expect(resolveRules("teleclaude", [{ file: "c.json", config: { ...config, preset: "none" } }]).ok).toBe(true);
});

test("an action of an earlier config may be named", () => {
  const rules = rulesOf({ actions: [{ id: "reload", steps: ["x"] }] }, { baseline: ["reload"] });
  expect(rules.baseline).toEqual(["reload"]);
});

import { expect, test } from "vitest";
import { PRESETS } from "../presets/presets.ts";
import { SAVE_DEFAULTS, type SaveRules } from "../save-rules.ts";
import { resolveRules } from "./resolve-rules.ts";
import type { Config } from "./schema.ts";

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

const dangling: { config: Config; key: string }[] = [
  { config: { categories: [{ id: "api", include: ["api/**"], action: "reload" }] }, key: "categories[0].action" },
  { config: { baseline: ["logs"] }, key: "baseline[0]" },
  { config: { preset: "none", categories: [{ id: "a", include: ["a"], tests: true }] }, key: "categories[0].tests" },
];
test.for(dangling)("$key names nothing", ({ config, key }) => {
  const result = resolveRules("teleclaude", [{ file: "c.json", config }]);
  expect(result.ok ? [] : result.problems.map((problem) => [problem.file, problem.key])).toEqual([["c.json", key]]);
});

import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { categorize } from "../categorize.ts";
import { TESTS_ACTION } from "../types.ts";
import { PRESET_NAMES, type PresetName, PRESETS } from "./presets.ts";

/** The rows that a changed file falls into, and the actions that a stop would ask for. */
function sort(preset: PresetName, files: readonly string[]) {
  const { matches, tested } = categorize(files, PRESETS[preset]);
  const asked = new Set(matches.map(({ category }) => category.action));
  if (tested.length > 0) asked.add(TESTS_ACTION);
  return {
    categories: matches.map(({ category }) => category.id),
    asks: PRESETS[preset].actions.map(({ id }) => id).filter((id) => asked.has(id)),
  };
}

describe("the generic preset", () => {
  test("asks for tests alone: what is added to it has to begin in shadow", () => {
    const { actions, modes } = PRESETS.generic;
    expect(actions.map(({ id }) => id).filter((id) => modes[id] === undefined)).toEqual([TESTS_ACTION]);
  });

  test.for([
    { file: "src/App.vue", categories: ["source-code"], asks: ["tests"] },
    { file: "lib/app.ex", categories: ["source-code"], asks: ["tests"] },
    { file: "R/fit.R", categories: ["source-code"], asks: ["tests"] },
    { file: "src/a.test.ts", categories: ["tests-only"], asks: ["tests"] },
    { file: "e2e/checkout.mjs", categories: ["tests-only"], asks: ["tests"] },
    { file: "conftest.py", categories: ["tests-only"], asks: ["tests"] },
    { file: "internal/a/a_test.go", categories: ["tests-only"], asks: ["tests"] },
    { file: "org/ATests.kt", categories: ["tests-only"], asks: ["tests"] },
    { file: "test/app_test.exs", categories: ["tests-only"], asks: ["tests"] },
    { file: "package.json", categories: ["manifests"], asks: [] },
    { file: "crates/a/Cargo.toml", categories: ["manifests"], asks: [] },
    { file: "tsconfig.json", categories: ["configuration"], asks: [] },
  ])("$file", ({ file, categories, asks }) => {
    expect(sort("generic", [file])).toEqual({ categories, asks });
  });

  test("tests beside configuration are tests only, beside code they are not", () => {
    const isTestsOnly = (...files: string[]) => categorize(files, PRESETS.generic).isTestsOnly;
    const seen = [["a_test.go"], ["a_test.go", ".env", "go.mod"], ["a_test.go", "a.go"]].map((files) =>
      isTestsOnly(...files),
    );
    expect(seen).toEqual([true, true, false]);
  });
});

describe("every preset that is quiet", () => {
  const quiet = PRESET_NAMES.filter((name) => name !== "teleclaude");

  test.for(quiet)("%s: documents ask for nothing", (preset) => {
    const files = ["README.md", "docs/a.txt", "CHANGELOG.md", "LICENSE", "logo.svg", ".gitignore", "todos/x/plan"];
    expect(categorize(files, PRESETS[preset])).toMatchObject({ documents: files, tested: [] });
  });

  test.for(quiet)("%s: a file that nothing knows asks for tests", (preset) => {
    expect(categorize(["bin/start"], PRESETS[preset])).toMatchObject({
      withoutRule: ["bin/start"],
      tested: ["bin/start"],
    });
  });

  test.for(quiet)("%s: configuration asks for nothing", (preset) => {
    const files = [".github/workflows/ci.yml", ".env.local", ".eslintrc", "Dockerfile", "settings.ini"];
    expect(sort(preset, files)).toEqual({ categories: ["configuration"], asks: [] });
  });
});

test("every row's action exists", () => {
  for (const { categories, actions, baseline } of Object.values(PRESETS)) {
    const ids: string[] = actions.map(({ id }) => id);
    const named = [...categories.map(({ action }) => action).filter((id) => id !== null), ...baseline];
    expect(ids).toEqual(expect.arrayContaining(named));
    expect(ids).toContain("tests");
  }
});

test("no preset has two rows of one id, and each bears its own name", () => {
  for (const name of PRESET_NAMES) {
    const { preset, categories, actions } = PRESETS[name];
    const ids = [...categories, ...actions].map((row) => `${"stage" in row ? "action" : "category"} ${row.id}`);
    expect(preset).toBe(name);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  }
});

test("the presets differ where a repository wants quiet", () => {
  const traits = Object.values(PRESETS).map(
    ({ preset, scope, captureOnly, allClear, unchanged, withoutGit, hygieneBlocks, baseline }) => ({
      preset,
      scope,
      captureOnly,
      allClear,
      unchanged,
      withoutGit,
      hygieneBlocks,
      baseline,
    }),
  );
  const quiet = {
    scope: "session",
    captureOnly: "silent",
    allClear: "silent",
    unchanged: "silent",
    withoutGit: "silent",
    hygieneBlocks: false,
    baseline: [],
  };
  expect(traits).toEqual([
    {
      preset: "teleclaude",
      scope: "tree",
      captureOnly: "deliver",
      allClear: "deliver",
      unchanged: "deliver",
      withoutGit: "deliver",
      hygieneBlocks: true,
      baseline: ["check-logs"],
    },
    { preset: "generic", ...quiet },
  ]);
});

test.for(PRESET_NAMES)("%s as a whole", async (name) => {
  const golden = fileURLToPath(new URL(`../../fixtures/presets/${name}.json`, import.meta.url));
  await expect(`${JSON.stringify(PRESETS[name], null, 2)}\n`).toMatchFileSnapshot(golden);
});

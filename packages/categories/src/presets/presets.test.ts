import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { categorize } from "../categorize.ts";
import { TESTS_ACTION } from "../types.ts";
import { LANGUAGES } from "./languages.ts";
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

interface Row {
  readonly preset: PresetName;
  readonly file: string;
  readonly categories: readonly string[];
  readonly asks?: readonly string[];
}

describe("the preset of a language", () => {
  const rows: readonly Row[] = [
    { preset: "node", file: "src/a.ts", categories: ["node-code"], asks: ["tests"] },
    { preset: "node", file: "src/App.vue", categories: ["node-code"], asks: ["tests"] },
    { preset: "node", file: "src/a.test.ts", categories: ["tests-only"], asks: ["tests"] },
    { preset: "node", file: "src/__tests__/a.tsx", categories: ["tests-only"], asks: ["tests"] },
    { preset: "node", file: "e2e/checkout.mjs", categories: ["tests-only"], asks: ["tests"] },
    { preset: "node", file: "package.json", categories: ["node-manifests"], asks: ["install"] },
    { preset: "node", file: "packages/a/package.json", categories: ["node-manifests"], asks: ["install"] },
    { preset: "node", file: "pnpm-lock.yaml", categories: ["node-manifests"], asks: ["install"] },
    { preset: "node", file: "bun.lockb", categories: ["node-manifests"], asks: ["install"] },
    { preset: "node", file: "tsconfig.json", categories: ["configuration"] },
    { preset: "node", file: "test/data.json", categories: ["configuration"] },
    { preset: "node", file: "src/main.css", categories: ["assets"] },
    { preset: "node", file: "prisma/schema.prisma", categories: ["assets"] },
    { preset: "python", file: "src/app/main.py", categories: ["python-code"], asks: ["tests"] },
    { preset: "python", file: "tests/test_main.py", categories: ["tests-only"], asks: ["tests"] },
    { preset: "python", file: "conftest.py", categories: ["tests-only"], asks: ["tests"] },
    { preset: "python", file: "pyproject.toml", categories: ["python-manifests"], asks: ["install"] },
    { preset: "python", file: "requirements-dev.txt", categories: ["python-manifests"], asks: ["install"] },
    { preset: "python", file: "requirements/base.in", categories: ["python-manifests"], asks: ["install"] },
    { preset: "python", file: "setup.py", categories: ["python-manifests", "python-code"], asks: ["install", "tests"] },
    { preset: "python", file: "app/templates/a.html", categories: ["assets"] },
    { preset: "python", file: "setup.cfg", categories: ["configuration"] },
    { preset: "rust", file: "src/main.rs", categories: ["rust-code"], asks: ["tests"] },
    { preset: "rust", file: "tests/cli.rs", categories: ["tests-only"], asks: ["tests"] },
    { preset: "rust", file: "Cargo.lock", categories: ["rust-manifests"], asks: ["install"] },
    { preset: "rust", file: "crates/a/Cargo.toml", categories: ["rust-manifests"], asks: ["install"] },
    { preset: "rust", file: "rustfmt.toml", categories: ["configuration"] },
    { preset: "go", file: "internal/a/a.go", categories: ["go-code"], asks: ["tests"] },
    { preset: "go", file: "internal/a/a_test.go", categories: ["tests-only"], asks: ["tests"] },
    { preset: "go", file: "go.sum", categories: ["go-manifests"], asks: ["install"] },
    { preset: "go", file: "api/bus.proto", categories: ["assets"] },
    { preset: "go", file: "Makefile", categories: ["configuration"] },
    { preset: "ruby", file: "app/models/user.rb", categories: ["ruby-code"], asks: ["tests"] },
    { preset: "ruby", file: "lib/tasks/seed.rake", categories: ["ruby-code"], asks: ["tests"] },
    { preset: "ruby", file: "spec/models/user_spec.rb", categories: ["tests-only"], asks: ["tests"] },
    { preset: "ruby", file: "Gemfile.lock", categories: ["ruby-manifests"], asks: ["install"] },
    { preset: "ruby", file: "app/views/users/show.html.erb", categories: ["assets"] },
    { preset: "ruby", file: "config/routes.yml", categories: ["configuration"] },
    { preset: "java", file: "src/main/java/org/A.java", categories: ["java-code"], asks: ["tests"] },
    { preset: "java", file: "app/src/main/kotlin/A.kt", categories: ["java-code"], asks: ["tests"] },
    { preset: "java", file: "src/test/java/org/Setup.java", categories: ["tests-only"], asks: ["tests"] },
    { preset: "java", file: "app/src/integrationTest/kotlin/A.kt", categories: ["tests-only"], asks: ["tests"] },
    { preset: "java", file: "org/ATest.java", categories: ["tests-only"], asks: ["tests"] },
    { preset: "java", file: "org/RepositoryIT.java", categories: ["tests-only"], asks: ["tests"] },
    { preset: "java", file: "core/pom.xml", categories: ["java-manifests"], asks: ["install"] },
    { preset: "java", file: "build.gradle.kts", categories: ["java-manifests"], asks: ["install"] },
    { preset: "java", file: "gradle/libs.versions.toml", categories: ["java-manifests"], asks: ["install"] },
    { preset: "java", file: "src/main/resources/application.properties", categories: ["configuration"] },
    { preset: "java", file: "src/main/resources/logback.xml", categories: ["configuration"] },
    // Another language's rows: known, and silent until a config gives them an action.
    { preset: "node", file: "scripts/seed.py", categories: ["python-code"] },
    { preset: "node", file: "tests/test_seed.py", categories: ["python-code"] },
    { preset: "node", file: "src-tauri/Cargo.toml", categories: ["rust-manifests"] },
    { preset: "python", file: "web/src/a.test.ts", categories: ["node-code"] },
    { preset: "python", file: "web/package.json", categories: ["node-manifests"] },
    { preset: "rust", file: "requirements.txt", categories: ["python-manifests"] },
    { preset: "go", file: "web/package-lock.json", categories: ["node-manifests"] },
    { preset: "ruby", file: "ext/native.c", categories: ["other-code"] },
    { preset: "java", file: "tools/gen.go", categories: ["go-code"] },
  ];
  test.for(rows)("$preset: $file", ({ preset, file, categories, asks = [] }) => {
    expect(sort(preset, [file])).toEqual({ categories, asks });
  });

  test.for(LANGUAGES)("$id: the actions come in the order of the checklist", ({ id }) => {
    expect(sort(id, FILES[id])).toMatchObject({ asks: ["install", "tests"] });
  });

  test.for(LANGUAGES)("$id: tests beside configuration are tests only, beside code they are not", ({ id }) => {
    const [code, test, manifest] = FILES[id];
    const isTestsOnly = (...files: string[]) => categorize(files, PRESETS[id]).isTestsOnly;
    expect([isTestsOnly(test), isTestsOnly(test, ".env", manifest), isTestsOnly(test, code)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test.for(LANGUAGES)("$id: the files of every other language ask for nothing", ({ id }) => {
    const others = LANGUAGES.filter((language) => language.id !== id).flatMap((language) => FILES[language.id]);
    expect(sort(id, others).asks).toEqual([]);
    expect(categorize(others, PRESETS[id]).withoutRule).toEqual([]);
  });
});

/** Of each language: code, a test, a manifest. */
const FILES = {
  node: ["src/a.ts", "src/a.test.ts", "package.json"],
  python: ["src/a.py", "tests/test_a.py", "uv.lock"],
  rust: ["src/a.rs", "tests/a.rs", "Cargo.toml"],
  go: ["pkg/a.go", "pkg/a_test.go", "go.mod"],
  ruby: ["lib/a.rb", "spec/a_spec.rb", "Gemfile"],
  java: ["src/main/java/A.java", "src/test/java/ATest.java", "pom.xml"],
} as const;

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
    ...LANGUAGES.map(({ id }) => ({ preset: id, ...quiet })),
  ]);
});

test.for(PRESET_NAMES)("%s as a whole", async (name) => {
  const golden = fileURLToPath(new URL(`../../fixtures/presets/${name}.json`, import.meta.url));
  await expect(`${JSON.stringify(PRESETS[name], null, 2)}\n`).toMatchFileSnapshot(golden);
});

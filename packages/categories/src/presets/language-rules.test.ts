import { describe, expect, test } from "vitest";
import { resolveRules } from "../config/resolve-rules.ts";
import { LANGUAGES, type LanguageName } from "./languages.ts";
import { PRESETS } from "./presets.ts";

function evidenceOf(preset: LanguageName, action: string): readonly string[] {
  return PRESETS[preset].actions.filter(({ id }) => id === action).flatMap(({ steps }) => steps[0]?.evidence ?? []);
}

/** Whether a command begins with the words of one that proves the action. */
function isNamed(command: string, evidence: readonly string[]): boolean {
  return evidence.some((words) => `${command} `.startsWith(`${words} `));
}

describe("the commands that count", () => {
  const rows: readonly {
    readonly preset: LanguageName;
    readonly action: "install";
    readonly counts: readonly string[];
    readonly doesNot: readonly string[];
  }[] = [
    {
      preset: "node",
      action: "install",
      counts: ["npm ci", "npm i zod", "pnpm add zod", "yarn install", "yarn up zod", "bun remove zod", "pnpm dedupe"],
      doesNot: ["npm ls", "npm test", "pnpm why zod", "yarn"],
    },
    {
      preset: "python",
      action: "install",
      counts: [
        "pip install -e .",
        "pip-sync",
        "uv sync",
        "uv pip install httpx",
        "poetry lock",
        "pdm add x",
        "pipenv sync",
      ],
      doesNot: ["pip list", "uv tree", "uv run app", "poetry show", "pipenv graph"],
    },
    {
      preset: "rust",
      action: "install",
      counts: ["cargo check", "cargo build", "cargo test", "cargo add serde", "cargo update", "cargo fetch"],
      doesNot: ["cargo fmt", "cargo tree", "cargo new a"],
    },
    {
      preset: "go",
      action: "install",
      counts: ["go mod tidy", "go mod download", "go get x", "go work sync", "go build ./...", "go test ./..."],
      doesNot: ["go fmt ./...", "go mod graph", "go list ./..."],
    },
    {
      preset: "ruby",
      action: "install",
      counts: ["bundle install", "bundle add rack", "bundle update", "bundle check", "bundle lock"],
      doesNot: ["bundle exec rspec", "bundle list", "gem list"],
    },
    {
      preset: "java",
      action: "install",
      counts: ["mvn compile", "mvnw install", "mvnd package", "gradle build", "gradlew testClasses"],
      doesNot: ["mvn clean", "mvn dependency:tree", "gradle tasks"],
    },
  ];
  test.for(rows)("$preset, $action", ({ preset, action, counts, doesNot }) => {
    const evidence = evidenceOf(preset, action);
    expect([...counts, ...doesNot].filter((command) => isNamed(command, evidence))).toEqual(counts);
  });

  test.for(LANGUAGES)("$id: no command stands there twice, and each is words with a space between", ({ id }) => {
    const commands = PRESETS[id].actions.map(({ steps }) => steps[0]?.evidence ?? []);
    expect(commands).toEqual(commands.map((list) => [...new Set(list)]));
    expect(commands.flat().filter((command) => !/^\S+(?: \S+)*$/.test(command))).toEqual([]);
  });
});

const INSTALL: Readonly<Record<LanguageName, string>> = {
  node: "Install the changed dependencies",
  python: "Install the changed dependencies",
  rust: "Run `cargo check` with the changed manifests",
  go: "Run `go mod tidy` with the changed manifests",
  ruby: "Run `bundle install` with the changed manifests",
  java: "Build with the changed manifests",
};
test.for(LANGUAGES)("$id: what the checklist says", ({ id }) => {
  const said = PRESETS[id].actions.map(({ stage, instruction }) => `${stage}: ${instruction}`);
  expect([said[0], said.at(-1)]).toEqual([
    `prepare: ${INSTALL[id]}`,
    "validate: Run targeted tests for changed behavior",
  ]);
});

test.for(LANGUAGES)("$id: a command that is asked for by name is evidence of itself", ({ id }) => {
  const steps = PRESETS[id].actions.flatMap((action) => action.steps).filter(({ called }) => called === undefined);
  expect(steps.filter(({ run, evidence }) => !evidence.includes(run))).toEqual([]);
});

test.for(LANGUAGES)("$id: a row for every language's code and manifests, only its own with a plain name", ({ id }) => {
  const labels = new Map(PRESETS[id].categories.map((category) => [category.id, category.label]));
  expect(
    LANGUAGES.map((language) => [labels.get(`${language.id}-code`), labels.get(`${language.id}-manifests`)]),
  ).toEqual(
    LANGUAGES.map((language) =>
      language.id === id
        ? ["code", "manifests and lock files"]
        : [`${language.name} code`, `${language.name} manifests`],
    ),
  );
});

test("a config gives another language's row an action, in the row's own place", () => {
  const config = {
    preset: "node",
    actions: [{ id: "test-python", stage: "validate", steps: ["pytest"] }],
    categories: [{ id: "python-code", include: ["api/**/*.py"], action: "test-python" }],
  } as const;
  const result = resolveRules("generic", [{ file: "c.json", config }]);
  const categories = result.ok ? result.rules.categories : [];
  expect(categories.map(({ id }) => id)).toEqual(PRESETS.node.categories.map(({ id }) => id));
  expect(categories.find(({ id }) => id === "python-code")).toMatchObject({
    include: ["api/**/*.py"],
    action: "test-python",
  });
});

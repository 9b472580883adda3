import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PRESETS } from "@agent-checkpoint/categories";
import { expect, test } from "vitest";
import { type CliRun, runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";

/** A repository and a home with these files, in which command lines can be run. */
function stage(files: Readonly<Record<string, string>>) {
  const folder = scratchFolder();
  const cwd = join(folder, "repo");
  const home = join(folder, "home");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const run = (args: string, given: { readonly cwd?: string } = {}): Promise<CliRun> =>
    runCheckpoint(["config", ...args.split(" ")], { cwd, userHome: folder, home, ...given });
  return { cwd, home, run };
}

const OWN = "repo/checkpoint.config.json";

test("check: a config that can be used", async () => {
  const { run } = stage({ [OWN]: `{ "preset": "generic" } // ours` });
  const { actions, categories } = PRESETS.generic;
  expect(await run("check")).toEqual({
    exitCode: 0,
    stdout: `in order  checkpoint.config.json: preset generic, ${actions.length} action, ${categories.length} categories\n`,
    stderr: "",
  });
});

test("check: a linked work tree says that the config of the main one is not in it", async () => {
  const { cwd, run } = stage({ [OWN]: "{}" });
  const tree = join(dirname(cwd), "tree");
  mkdirSync(join(cwd, ".git", "worktrees", "tree"), { recursive: true });
  mkdirSync(tree);
  writeFileSync(join(tree, ".git"), `gitdir: ${join(cwd, ".git", "worktrees", "tree")}\n`);
  writeFileSync(join(cwd, ".git", "worktrees", "tree", "commondir"), "../..\n");
  const { stdout } = await run("check", { cwd: tree });
  expect(stdout).toContain(`${join(cwd, "checkpoint.config.json")} does not apply in this work tree`);
  expect(stdout).toContain("Commit it, so that every work tree has it.");
  expect((await run("check")).stdout).toContain("in order");
});

test("check: no config at all", async () => {
  const { exitCode, stdout } = await stage({}).run("check");
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: "No config file applies here: preset generic, 1 action, 4 categories. `checkpoint init` writes one.\n",
  });
});

test("check: says where, what was expected, what was found and what to do", async () => {
  const { run } = stage({ [OWN]: `{ "scope": "all" }` });
  expect(await run("check")).toEqual({
    exitCode: 1,
    stdout: [
      "wrong  checkpoint.config.json: scope",
      `  expected  ("tree" | "session")`,
      `  found     "all"`,
      "  do        Set the expected value; see docs/config.md.",
      "",
    ].join("\n"),
    stderr: "",
  });
});

const wrong: { what: string; config: string; key: string; advice: string }[] = [
  { what: "no JSON", config: `{ "scope": `, key: "", advice: "Fix the file" },
  { what: "an unknown key", config: `{ "timer": 3 }`, key: "timer", advice: "Remove the key" },
  {
    what: "an action that is none",
    config: `{ "categories": [{ "id": "a", "include": ["a"], "action": "b" }] }`,
    key: "categories[0].action",
    advice: "Use one of these",
  },
  {
    what: "a step that no command could meet",
    config: `{ "actions": [{ "id": "a", "steps": ["cd api && make test"] }] }`,
    key: "actions[0].steps[0]",
    advice: "name the program that finally runs",
  },
];
test.for(wrong)("check: $what", async ({ config, key, advice }) => {
  const { exitCode, stdout } = await stage({ [OWN]: config }).run("check --json");
  const { ok, problems } = JSON.parse(stdout) as { ok: boolean; problems: { key: string; advice: string }[] };
  expect({ exitCode, ok, keys: problems.map((problem) => problem.key) }).toEqual({
    exitCode: 1,
    ok: false,
    keys: [key],
  });
  expect(problems[0]?.advice).toContain(advice);
});

test("check: what could be met is no problem", async () => {
  const steps = `["make migrate", "npm run db:migrate", "npx knex migrate:latest", { "run": "cd api && uv run pytest", "evidence": ["pytest", "uv run mypy"] }]`;
  const { run } = stage({ [OWN]: `{ "actions": [{ "id": "a", "steps": ${steps} }, { "id": "tests", "off": true }] }` });
  expect(await run("check")).toMatchObject({ exitCode: 0 });
});

test("check: the personal config is looked at too", async () => {
  const { run, home } = stage({ "home/config.json": `{ "keepDays": 0 }`, [OWN]: "{}" });
  const { exitCode, stdout } = await run("check --json");
  expect({ exitCode, problems: JSON.parse(stdout).problems }).toMatchObject({
    exitCode: 1,
    problems: [{ file: join(home, "config.json"), key: "keepDays" }],
  });
});

test("check: one file, wherever it lies", async () => {
  const { run } = stage({ [OWN]: `{ "scope": 3 }`, "repo/drafts/next.json": `{ "preset": "generic" }` });
  expect(await run("check drafts/next.json")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("drafts/next.json: preset generic"),
  });
  expect(await run("check drafts/none.json")).toMatchObject({ exitCode: 2, stdout: "" });
});

test("check: what a file's text holds cannot act on the terminal", async () => {
  const { stdout } = await stage({ [OWN]: String.raw`{ "\u001b[2Jx": 1 }` }).run("check");
  expect(stdout).toContain(String.raw`\x1b[2Jx`);
  expect(stdout).not.toContain("\u001b");
});

test("show: each value with the layer it comes from, from a folder below the root too", async () => {
  const { run, home, cwd } = stage({
    "home/config.json": `{ "timerSeconds": 60, "allClear": "deliver", "actions": [{ "id": "logs", "steps": ["make logs"] }] }`,
    [OWN]: `{ "preset": "teleclaude", "timerSeconds": 5, "save": { "threshold": 60 }, "checks": { "wide-change": false },
      "actions": [{ "id": "telec-init", "off": true }],
      "categories": [{ "id": "config", "include": ["conf/**"], "action": "logs" }] }`,
  });
  const { exitCode, stdout } = await run("show --json");
  const shown = JSON.parse(stdout);
  const personal = join(home, "config.json");
  const own = "checkpoint.config.json";
  expect({ exitCode, root: shown.root, preset: shown.preset, off: shown.off }).toEqual({
    exitCode: 0,
    root: cwd,
    preset: { value: "teleclaude", source: own },
    off: [{ kind: "action", id: "telec-init", source: own }],
  });
  expect(shown.settings).toEqual(
    expect.arrayContaining([
      { key: "timerSeconds", value: 5, source: own },
      { key: "allClear", value: "deliver", source: personal },
      { key: "scope", value: "tree", source: "preset teleclaude" },
      { key: "save.threshold", value: 60, source: own },
      { key: "save.mode", value: "normal", source: "default" },
    ]),
  );
  expect(shown.checks).toContainEqual({ id: "wide-change", value: false, source: own });
  expect(shown.checks).toContainEqual({ id: "failed-command", value: true, source: "preset teleclaude" });
  const sources = (rows: { value: { id: string }; source: string }[]) => rows.map((row) => [row.value.id, row.source]);
  expect(sources(shown.actions)).toEqual(
    expect.arrayContaining([
      ["logs", personal],
      ["tests", "preset teleclaude"],
    ]),
  );
  expect(sources(shown.categories)).toContainEqual(["config", own]);
});

test("show: what counts where a config leaves it to the action", async () => {
  const { run } = stage({
    [OWN]: `{ "preset": "none", "actions": [
      { "id": "tests", "steps": [{ "run": "make test", "evidence": [] }] },
      { "id": "types", "steps": [{ "run": "make types", "evidence": [] }] }] }`,
  });
  const { stdout } = await run("show");
  expect(stdout.split("\n").filter((line) => line.startsWith("    counts"))).toEqual([
    "    counts  any run of the tests for the changed file",
    "    counts  make types",
  ]);
});

test("show: for a person, within the width of the terminal where words allow it", async () => {
  const { run } = stage({
    [OWN]: `{ "preset": "none", "actions": [{ "id": "tests", "stage": "validate", "steps": ["make test"] }],
    "categories": [{ "id": "code", "include": ["src/**"], "exclude": ["src/gen/**"], "tests": true }, { "id": "gen", "include": ["src/gen/**"] }] }`,
  });
  const { exitCode, stdout } = await run("show");
  expect(exitCode).toBe(0);
  expect(stdout.split("\n").slice(1, 17).join("\n")).toBe(`Preset none (checkpoint.config.json)

Actions, in the order of the checklist
  tests (checkpoint.config.json)
    asks    Run \`make test\`
    counts  make test

Files that ask for something
  code (checkpoint.config.json)
    asks    tests
    files   src/**
    not     src/gen/**

Files that ask for nothing
  gen
`);
});

test("show: a row whose action was taken out asks for nothing", async () => {
  const { run } = stage({ [OWN]: `{ "preset": "teleclaude", "actions": [{ "id": "tests", "off": true }] }` });
  const { stdout } = await run("show");
  const [, asking = "", silent = ""] =
    /^Files that ask for something\n(.*?)^Files that ask for nothing\n(.*?)\n\n/ms.exec(stdout) ?? [];
  expect(asking.match(/^ {2}\S+/gm)).toContain("  dependencies");
  expect(silent).toContain("tests-only");
});

test("show: rules that cannot be used are told, not shown", async () => {
  const { run } = stage({ [OWN]: `{ "scope": "all" }` });
  expect(await run("show")).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining("wrong  checkpoint.config.json: scope"),
  });
  expect(JSON.parse((await run("show --json")).stdout)).toMatchObject({ problems: [{ key: "scope" }] });
});

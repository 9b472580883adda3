import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PRESETS } from "@agent-checkpoint/categories";
import { afterAll, describe, expect, test } from "vitest";
import { findRules } from "../find-project.ts";
import { loadRules } from "./load-rules.ts";
import { isSafeSlug, readConfigs, readPlan } from "./read-configs.ts";

const scratch = mkdtempSync(join(tmpdir(), "checkpoint-rules-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A folder with these files. */
function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(scratch, "test-"));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, file, ".."), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

describe("the preset of a repository without a config", () => {
  const cases = [
    { has: "teleclaude with Python in it", files: { "teleclaude/daemon.py": "" }, preset: "teleclaude" },
    { has: "teleclaude with a package in it", files: { "teleclaude/core/a.py": "" }, preset: "teleclaude" },
    { has: "teleclaude without Python", files: { "teleclaude/notes.txt": "" }, preset: "generic" },
    { has: "a file of that name", files: { teleclaude: "" }, preset: "generic" },
    { has: "Python elsewhere", files: { "src/a.py": "" }, preset: "generic" },
    { has: "nothing", files: {}, preset: "generic" },
  ];
  test.for(cases)("$has: $preset", ({ files, preset }) => {
    expect(readConfigs(folderWith(files as Record<string, string>), null).preset).toBe(preset);
  });
});

describe("config files", () => {
  test("the repository's lies over the personal one", () => {
    const root = folderWith({ "checkpoint.config.json": `{ "timerSeconds": 5 } // ours` });
    const home = folderWith({ "config.json": `{ "timerSeconds": 60, "allClear": "deliver" }` });
    expect(loadRules(root, home)).toEqual({
      ok: true,
      rules: { ...PRESETS.generic, timerSeconds: 5, allClear: "deliver" },
      configFile: "checkpoint.config.json",
    });
  });

  test("none at all", () => {
    expect(loadRules(folderWith(), folderWith())).toEqual({ ok: true, rules: PRESETS.generic, configFile: null });
  });

  test("a wrong one is named with its key", () => {
    const root = folderWith({ "checkpoint.config.json": `{ "scope": 3 }` });
    expect(loadRules(root, null)).toMatchObject({
      ok: false,
      problems: [{ file: "checkpoint.config.json", key: "scope", found: "3" }],
    });
  });

  test("a folder in its place is a problem, not a crash", () => {
    const root = folderWith({ "checkpoint.config.json/x": "" });
    expect(loadRules(root, null)).toMatchObject({ ok: false, problems: [{ found: "it is a folder" }] });
  });
});

describe("the working slug's plan", () => {
  const slugs = [
    { slug: "retry-loop", is: true },
    { slug: "..", is: false },
    { slug: "a..b", is: false },
    { slug: "../../etc", is: false },
    { slug: "a/b", is: false },
    { slug: "a\\b", is: false },
    { slug: "", is: false },
  ];
  test.for(slugs)("$slug is a plain folder name: $is", ({ slug, is }) => {
    expect(isSafeSlug(slug)).toBe(is);
  });

  test("is read from todos, and only from there", () => {
    const root = folderWith({ "todos/a/implementation-plan.md": "plan", "implementation-plan.md": "other" });
    const plans = ["a", "missing", "..", "a/../..", null].map((slug) => readPlan(root, slug));
    expect(plans).toEqual(["plan", null, null, null, null]);
  });
});

describe("rules that are found are the rules that are loaded", () => {
  const cases = [
    { where: "no config", files: {}, personal: {} },
    { where: "TeleClaude without a config", files: { "teleclaude/daemon.py": "" }, personal: {} },
    { where: "a config", files: { "checkpoint.config.json": `{ "timerSeconds": 5 }` }, personal: {} },
    { where: "a personal config", files: {}, personal: { "config.json": `{ "timerSeconds": 5 }` } },
    { where: "a wrong config", files: { "checkpoint.config.json": "{" }, personal: {} },
    { where: "a folder in its place", files: { "checkpoint.config.json/x": "" }, personal: {} },
  ];
  test.for(cases)("$where", async ({ files, personal }) => {
    const [root, home] = [folderWith(files), folderWith(personal)];
    expect(await findRules(root, home)).toEqual(loadRules(root, home));
    expect(await findRules(root, null)).toEqual(loadRules(root, null));
  });
});

describe("the cache of rules", () => {
  const OWN = "checkpoint.config.json";
  const MIGRATIONS = `{
    "preset": "generic", "timerSeconds": 61,
    "actions": [{ "id": "migrate", "steps": ["npm run migrate"] }],
    "categories": [{ "id": "migrations", "include": ["db/{a,b}/**"], "action": "migrate", "tests": true }],
  }`;

  async function stage(config: string) {
    const [root, home] = [folderWith({ [OWN]: config }), folderWith({ "config.json": "{}" })];
    const first = await findRules(root, home);
    const folder = join(home, "repositories");
    const caches = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
    return { root, home, first, caches };
  }

  const configs = [
    { has: "rules", text: MIGRATIONS },
    { has: "a comment", text: "// mine\n{}" },
    { has: "a problem", text: `{ "timerSeconds": "soon" }` },
    { has: "no object", text: "[" },
  ];
  test.for(configs)("a config with $has is read once", async ({ text }) => {
    const { root, home, first, caches } = await stage(text);
    expect(await findRules(root, home)).toEqual(first);
    expect(first).toEqual(loadRules(root, home));
    expect(caches.length).toBe(1);
  });

  const changes = [
    { change: "nothing", make: () => undefined, isUsed: true },
    {
      change: "the config",
      make: ({ root }: Staged) => writeFileSync(join(root, OWN), `${MIGRATIONS} `),
      isUsed: false,
    },
    {
      change: "the personal config",
      make: ({ home }: Staged) => writeFileSync(join(home, "config.json"), "{ }"),
      isUsed: false,
    },
    {
      change: "the detected preset",
      make: ({ root }: Staged) => (
        mkdirSync(join(root, "teleclaude")),
        writeFileSync(join(root, "teleclaude/a.py"), "")
      ),
      isUsed: false,
    },
    {
      change: "the cache is cut off",
      make: ({ caches }: Staged) => caches.map((path) => writeFileSync(path, readFileSync(path).subarray(0, -2))),
      isUsed: false,
    },
    {
      change: "the cache is of another form",
      make: ({ caches }: Staged) =>
        caches.map((path) =>
          writeFileSync(path, readFileSync(path, "utf8").replace('"value":{', '"value":null,"other":{')),
        ),
      isUsed: false,
    },
  ];
  type Staged = Awaited<ReturnType<typeof stage>>;
  test.for(changes)("used or not after a change of $change", async ({ make, isUsed }) => {
    const staged = await stage(MIGRATIONS);
    for (const path of staged.caches)
      writeFileSync(path, readFileSync(path, "utf8").replace('"timerSeconds":61', '"timerSeconds":62'));
    make(staged);
    const found = await findRules(staged.root, staged.home);
    expect(found.ok && found.rules.timerSeconds).toBe(isUsed ? 62 : 61);
  });

  test("a config that holds a secret is not cached", async () => {
    const { caches } = await stage(`{ "timerSeconds": 61 } // NPM_TOKEN=npm_abcdefghijklmnopqrstuvwxyz0123456789`);
    expect(caches).toEqual([]);
  });
});

import { readFileSync } from "node:fs";
import { toJsonSchema } from "@valibot/to-json-schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PRESET_NAMES } from "../presets/presets.ts";
import { SAVE_DEFAULTS } from "../save-rules.ts";
import { describeProblem } from "./config-problem.ts";
import { parseConfig } from "./parse-config.ts";
import { configSchema } from "./schema.ts";

const file = "checkpoint.config.json";

test("a byte order mark is one only at the start", () => {
  const text = `{ "actions": [{ "id": "a", "steps": ["a\uFEFFb"] }] }`;
  expect(parseConfig(text, file)).toEqual({ ok: true, config: { actions: [{ id: "a", steps: ["a\uFEFFb"] }] } });
});

test("comments, trailing commas and a byte order mark are allowed", () => {
  const text = `\uFEFF// ours\n{ "preset": "generic", /* quiet */ "timerSeconds": 10, }`;
  expect(parseConfig(text, file)).toEqual({ ok: true, config: { preset: "generic", timerSeconds: 10 } });
});

const wrong = [
  { text: `{ "timerSeconds": "30" }`, says: 'checkpoint.config.json: `timerSeconds`: expected number, found "30".' },
  { text: `{ "timerSeconds": -1 }`, says: "checkpoint.config.json: `timerSeconds`: expected 0 or more, found -1." },
  {
    text: `{ "scope": "all" }`,
    says: 'checkpoint.config.json: `scope`: expected ("tree" | "session"), found "all".',
  },
  {
    text: `{ "timer": 3 }`,
    says: "checkpoint.config.json: `timer`: expected only known keys, such as `timerSeconds`, found a key that means nothing here.",
  },
  {
    text: `{ "categories": [{ "id": "api", "include": "src/**" }] }`,
    says: 'checkpoint.config.json: `categories[0].include`: expected Array, found "src/**".',
  },
  {
    text: `{ "categories": [{ "id": "api" }] }`,
    says: "checkpoint.config.json: `categories[0].include`: expected a list of globs, found nothing.",
  },
  {
    text: `{ "categories": [{ "id": "api", "include": ["!x"] }] }`,
    says: 'checkpoint.config.json: `categories[0].include[0]`: expected a glob without a leading `!` (put it into `exclude`), found "!x".',
  },
  {
    text: `{ "actions": [{ "id": "x", "steps": [3] }] }`,
    says: "checkpoint.config.json: `actions[0].steps[0]`: expected a command, or an object with `run` and `evidence`, found 3.",
  },
  {
    text: `{ "actions": [{ "id": "x", "instruction": "a\\nb", "steps": ["y"] }] }`,
    says: 'checkpoint.config.json: `actions[0].instruction`: expected one line without control characters, found "a\\nb".',
  },
  {
    text: `{ "preset": "perl" }`,
    says: `\`preset\`: expected (${[...PRESET_NAMES, "none"].map((name) => `"${name}"`).join(" | ")}), found "perl".`,
  },
  { text: `{ "save": { "threshold": 0 } }`, says: "`save.threshold`: expected 1 or more, found 0." },
  { text: `{ "save": { "threshold": 100 } }`, says: "`save.threshold`: expected at most 99, found 100." },
  {
    text: `{ "save": { "contextWindow": 200 } }`,
    says: "`save.contextWindow`: expected at least 1000 tokens, found 200.",
  },
  {
    text: `{ "save": { "contextWindow": 1000.5 } }`,
    says: "`save.contextWindow`: expected whole tokens, found 1000.5.",
  },
  {
    text: `{ "save": { "mode": "always" } }`,
    says: '`save.mode`: expected ("normal" | "autonomous"), found "always".',
  },
  { text: `{ "save": { "statusDocument": "../x" } }`, says: "`save.statusDocument`: expected" },
  { text: `{ "save": { "message": "" } }`, says: "`save.message`: expected some words, not an empty string" },
  {
    text: String.raw`{ "save": { "message": "\nx" } }`,
    says: "`save.message`: expected lines without control characters",
  },
  {
    text: String.raw`{ "save": { "message": "a\u001b[2J" } }`,
    says: "`save.message`: expected lines without control characters",
  },
  {
    text: `{ "save": { "protectedBranches": ["!main"] } }`,
    says: "`save.protectedBranches[0]`: expected a glob without a leading `!`",
  },
  { text: `{ "save": { "pushes": true } }`, says: "`save.pushes`: expected only known keys" },
  { text: `{ "checks": { "nope": true } }`, says: "`checks.nope`: expected only known keys" },
  {
    text: `{ "categories": [{ "id": "Api", "include": ["a"] }] }`,
    says: '`categories[0].id`: expected a name of lower-case letters, digits and dashes, found "Api".',
  },
  {
    text: `{ "baseline": ["-a", "a b"] }`,
    says: [
      'checkpoint.config.json: `baseline[0]`: expected a name of lower-case letters, digits and dashes, found "-a".',
      'checkpoint.config.json: `baseline[1]`: expected a name of lower-case letters, digits and dashes, found "a b".',
    ].join("\n"),
  },
  { text: `{ "docs": [""] }`, says: '`docs[0]`: expected a glob, not an empty string, found "".' },
  {
    text: `{ "categories": [{ "id": "a", "include": [] }] }`,
    says: "`categories[0].include`: expected at least one glob, found [].",
  },
  {
    text: `{ "categories": [{ "id": "a", "include": ["b"], "tests": 1 }] }`,
    says: "`categories[0].tests`: expected true, false or a list of globs, found 1.",
  },
  {
    text: `{ "categories": [{ "id": "a", "include": ["b"], "globs": [] }] }`,
    says: "`categories[0].globs`: expected only known keys, found a key that means nothing here.",
  },
  {
    text: `{ "categories": [{ "id": "a", "inlcude": ["b"], "include": [] }] }`,
    says: "`categories[0].inlcude`: expected only known keys, such as `include`, found a key that means nothing here.",
  },
  {
    text: `{ "actions": [{ "id": "a", "steps": ["b"], "setps": ["b"] }] }`,
    says: "`actions[0].setps`: expected only known keys, such as `steps`, found a key that means nothing here.",
  },
  {
    text: `{ "actions": [{ "id": "a" }] }`,
    says: "`actions[0].steps`: expected a list of commands, found nothing.",
  },
  {
    text: `{ "actions": [{ "id": "a", "steps": [] }] }`,
    says: "`actions[0].steps`: expected at least one command, found [].",
  },
  {
    text: `{ "actions": [{ "id": "a", "steps": ["b"], "instruction": "" }] }`,
    says: '`actions[0].instruction`: expected some words, not an empty string, found "".',
  },
  {
    text: JSON.stringify({ actions: [{ id: "a", steps: ["b"], instruction: "x".repeat(301) }] }),
    says: "`actions[0].instruction`: expected at most 300 characters, found",
  },
  {
    text: `{ "actions": [{ "id": "a", "steps": ["b"], "stage": "now" }] }`,
    says: '`actions[0].stage`: expected ("prepare" | "observe" | "validate"), found "now".',
  },
  {
    text: `{ "$schema": "a.b", "categories": [{ "id": "a", "include": ["b"], "x.y": 1 }] }`,
    says: "`categories[0].x.y`: expected only known keys",
  },
  { text: `{ "docs": [] }\n}\n\n`, says: "found EndOfFileExpected at line 2." },
  { text: `{ "timerSeconds": 86401 }`, says: "`timerSeconds`: expected at most a day, found 86401." },
  { text: `{ "captureOnly": "loud" }`, says: '`captureOnly`: expected ("deliver" | "silent"), found "loud".' },
  { text: `{ "keepDays": 0 }`, says: "`keepDays`: expected at least a day, found 0." },
  { text: `{ "keepDays": 1.5 }`, says: "`keepDays`: expected whole days, found 1.5." },
  { text: `{ "keepDays": 3651 }`, says: "`keepDays`: expected at most ten years, found 3651." },
  {
    text: `{ "safety": { "freshMinutes": 0.5 } }`,
    says: "`safety.freshMinutes`: expected at least a minute, found 0.5.",
  },
  {
    text: `{ "safety": { "freshMinutes": 10081 } }`,
    says: "`safety.freshMinutes`: expected at most a week, found 10081.",
  },
  { text: `{ "safety": { "keepDays": 0 } }`, says: "`safety.keepDays`: expected at least a day, found 0." },
  { text: `{ "safety": { "gates": true } }`, says: "`safety.gates`: expected only known keys" },
  {
    text: JSON.stringify({ save: { message: "x".repeat(2001) } }),
    says: "`save.message`: expected at most 2000 characters, found",
  },
  {
    text: `{\n\n"preset" }`,
    says: "checkpoint.config.json: expected JSON with comments, found ColonExpected at line 3.",
  },
  { text: `null`, says: "checkpoint.config.json: expected Object, found null." },
  { text: `{ "save": 3 }`, says: "checkpoint.config.json: `save`: expected Object, found 3." },
  { text: `{ "save": [] }`, says: "checkpoint.config.json: `save`: expected Object, found []." },
  { text: `{ "categories": [[]] }`, says: "checkpoint.config.json: `categories[0]`: expected Object, found []." },
  { text: `{ "preset": `, says: "checkpoint.config.json: expected JSON with comments, found ValueExpected at line 1." },
  { text: ``, says: "checkpoint.config.json: expected JSON with comments, found ValueExpected at line 1." },
  { text: `[]`, says: "checkpoint.config.json: expected Object, found []." },
];
test.for(wrong)("$text", ({ text, says }) => {
  const result = parseConfig(text, file);
  expect(result.ok ? [] : result.problems.map(describeProblem).join("\n")).toContain(says);
});

test("every key of save may be given", () => {
  const save = {
    mode: "autonomous",
    threshold: 99,
    contextWindow: 1000,
    statusDocument: "AGENTS.md",
    message: "wip: {branch}\n\n{facts}",
    protectedBranches: [],
    push: true,
    coAuthor: false,
  };
  expect(Object.keys(save)).toEqual(Object.keys(SAVE_DEFAULTS));
  expect(parseConfig(JSON.stringify({ save }), file)).toEqual({ ok: true, config: { save } });
});

const allowed: { what: string; config: unknown }[] = [
  {
    what: "the least and shortest",
    config: { timerSeconds: 0, keepDays: 1, safety: { freshMinutes: 1 }, save: { threshold: 1 } },
  },
  { what: "the most", config: { timerSeconds: 86_400, keepDays: 3650, safety: { freshMinutes: 10_080, gate: true } } },
  { what: "the longest message", config: { save: { message: "x".repeat(2000) } } },
  { what: "a message of several lines, some empty", config: { save: { message: "a\n\nb\n" } } },
  {
    what: "every switch",
    config: { untracked: false, scope: "tree", captureOnly: "silent", allClear: "deliver", docs: [] },
  },
  { what: "a row switched off", config: { categories: [{ id: "a", off: true }], actions: [{ id: "b", off: true }] } },
  {
    what: "a row with everything",
    config: {
      $schema: "x",
      preset: "none",
      baseline: ["0"],
      categories: [
        { id: "a-1", label: "A", plural: true, include: ["a!"], exclude: [], action: null, tests: ["b"] },
        { id: "b", include: ["b"], action: "c", tests: false },
      ],
      actions: [
        {
          id: "c",
          stage: "observe",
          instruction: "x".repeat(300),
          steps: ["d", { run: "e" }, { run: "f", evidence: ["g"] }],
        },
      ],
      checks: { "wide-change": false },
    },
  },
];
test.for(allowed)("$what may be given", ({ config }) => {
  expect(parseConfig(JSON.stringify(config), file)).toEqual({ ok: true, config });
});

test("2,000 categories of 20 globs are more than a stop could compare, and are refused", () => {
  const include = Array.from({ length: 20 }, (_, index) => `src/**/${index}*.ts`);
  const categories = Array.from({ length: 2000 }, (_, index) => ({ id: `c-${index}`, include }));
  const text = JSON.stringify({ categories });
  expect(parseConfig(text, file)).toMatchObject({
    ok: false,
    problems: [{ expected: "at most 100000 characters", found: `${text.length}` }],
  });
});

test("a value that is too long to be shown is cut", () => {
  const shown = (length: number) => {
    const result = parseConfig(JSON.stringify({ scope: "x".repeat(length) }), file);
    return result.ok ? "" : (result.problems[0]?.found ?? "");
  };
  const [fits, tooLong] = [shown(498), shown(499)];
  expect([fits.length, fits.at(-1)]).toEqual([500, '"']);
  expect([tooLong.length, tooLong.at(-1)]).toEqual([500, "…"]);
});

test("any text gives a result", () => {
  const anything = fc.oneof(
    fc.string(),
    fc.json(),
    fc.object().map((value) => JSON.stringify(value)),
  );
  fc.assert(fc.property(anything, (text) => typeof parseConfig(text, file).ok === "boolean"));
});

test("the shipped JSON Schema is the one the schema gives", () => {
  const shipped = JSON.parse(
    readFileSync(new URL("../../schema/checkpoint.config.schema.json", import.meta.url), "utf8"),
  );
  const { $id, title, description } = shipped;
  expect(shipped).toEqual({ ...toJsonSchema(configSchema(), { errorMode: "ignore" }), $id, title, description });
});

import { readFileSync } from "node:fs";
import { toJsonSchema } from "@valibot/to-json-schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SAVE_DEFAULTS } from "../save-rules.ts";
import { describeProblem, parseConfig } from "./parse-config.ts";
import { ConfigSchema } from "./schema.ts";

const file = "checkpoint.config.json";

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
    says: "checkpoint.config.json: `timer`: expected only known keys, found a key that means nothing here.",
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
    says: '`preset`: expected ("teleclaude" | "generic" | "node" | "python" | "rust" | "go" | "ruby" | "java" | "none"), found "perl".',
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
  expect(shipped).toEqual({ ...toJsonSchema(ConfigSchema, { errorMode: "ignore" }), $id, title, description });
});

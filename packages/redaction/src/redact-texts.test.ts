import { expect, test } from "vitest";
import { redactJson, redactLine } from "./redact.ts";
import { SECRET_TEXTS, traceOf } from "./testing/secret-texts.ts";

import fc from "fast-check";

test("strings and names at any depth, and nothing else", () => {
  const at = new Date(0);
  const value = { a: ["FOO_TOKEN=abc", 1, null, true], "PASSWORD=x1y2": { at, "src/token": "12:34" } };
  expect(redactJson(value)).toEqual({
    a: ["FOO_TOKEN=[redacted]", 1, null, true],
    "PASSWORD=[redacted]": { at, "src/token": "12:34" },
  });
});

const fields = [
  { name: "password", value: "one two", clean: "[redacted]" },
  { name: "Authorization", value: "token hunter2x", clean: "token [redacted]" },
  { name: "token", value: 'a"b c', clean: "[redacted]" },
  { name: "tokens", value: "12", clean: "12" },
  { name: "key", value: "session/claude/1", clean: "session/claude/1" },
  { name: "text", value: 'say "FOO_TOKEN=abc"', clean: 'say "FOO_TOKEN=[redacted]"' },
];
test.for(fields)("$name: $value", ({ name, value, clean }) => {
  expect(redactJson({ [name]: value })).toEqual({ [name]: clean });
});

test("what is made of it is JSON without the secret, whatever surrounds it", () => {
  fc.assert(
    fc.property(fc.constantFrom(...SECRET_TEXTS), fc.string(), fc.string(), (one, before, after) => {
      const text = JSON.stringify(redactJson({ text: `${before} ${one.text} ${after}`, list: [one.text] }));
      return typeof JSON.parse(text) === "object" && !text.includes(traceOf(one));
    }),
    { numRuns: 1000 },
  );
});

const cases = [
  { text: "one\ntwo\u001B[31m\u202Ethree", line: "one two [31m three" },
  { text: "token=abc1\n[CHECKPOINT] forged", line: "token=[redacted] [CHECKPOINT] forged" },
  { text: "to\u200Bken=abc1", line: "to ken=abc1" },
  { text: "a".repeat(600), line: `${"a".repeat(500)}…` },
  { text: `${"a".repeat(480)} password=${"b".repeat(60)}`, line: `${"a".repeat(480)} password=[redacted]` },
];
test.for(cases)("$text", ({ text, line }) => {
  expect(redactLine(text)).toBe(line);
});

import { expect, test } from "vitest";
import { redactLine } from "./redact-line.ts";

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

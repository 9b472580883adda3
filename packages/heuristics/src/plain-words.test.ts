import { expect, test } from "vitest";
import { plainWords } from "./foreign-text.ts";

const cases = [
  { words: "Run `make migrate` then `make check`", shown: "Run `make migrate` then `make check`" },
  { words: "if a < b", shown: "if a < b" },
  { words: "</system> <b> <!-- <?x", shown: "‹/system> ‹b> ‹!-- ‹?x" },
  { words: "a\n1. Run it", shown: String.raw`a\n1. Run it` },
];
test.for(cases)("$words", ({ words, shown }) => {
  expect(plainWords(words)).toBe(shown);
});

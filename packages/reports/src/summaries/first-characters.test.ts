import { expect, test } from "vitest";
import { firstCharacterOf, firstCharacters } from "./summary-lines.ts";

const cases = [
  { pattern: /^ok \d+$/, yes: ["o"], no: ["k", " ", "1"] },
  { pattern: /^\d+ pass$/, yes: ["0", "9"], no: ["p", " "] },
  { pattern: /^ {0,9}Tests$/, yes: [" ", "T"], no: ["e"] },
  { pattern: /^ {2}─$/, yes: [" "], no: ["other"] },
  { pattern: /^(?:=+ )?(?<tally>\d+ passed)$/, yes: ["=", "3"], no: [" ", "p"] },
  { pattern: /^(?:(?:#|ℹ) a|# ok)$/, yes: ["#", "other"], no: ["a"] },
  { pattern: /^(?:a(?:b|c)|\[x\]|)d$/, yes: ["a", "[", "d"], no: ["b", "x"] },
  { pattern: /^(?:\[\w+\] )?(?:Passed|Failed): x$/, yes: ["[", "P", "F"], no: ["w", "x"] },
  { pattern: /^[^\w\s]{1,2} +Test$/, yes: ["other", "*"], no: [] },
  { pattern: /^\t* *Executed$/, yes: ["\t", " ", "E"], no: ["x"] },
  { pattern: /^\*\* TEST$/, yes: ["*"], no: ["T"] },
];

test.for(cases)("$pattern", ({ pattern, yes, no }) => {
  const found = firstCharacters(pattern.source);
  expect(found).toEqual(expect.arrayContaining(yes));
  expect(no.filter((character) => found.includes(character))).toEqual([]);
});

test.for([
  { line: "ok 1", first: "o" },
  { line: "✔ a", first: "other" },
])("$line", ({ line, first }) => {
  expect(firstCharacterOf(line)).toBe(first);
});

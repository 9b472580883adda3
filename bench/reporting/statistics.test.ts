import { expect, test } from "vitest";
import { mean, median, pairedRatio, summarize } from "./statistics.ts";

const SUMMARIES = [
  { values: [7], summary: { median: 7, low: 7, high: 7 } },
  { values: [3, 1, 2], summary: { median: 2, low: 1.5, high: 2.5 } },
  { values: [4, 1, 3, 2], summary: { median: 2.5, low: 1.75, high: 3.25 } },
  { values: [5, 1, 4, 2, 3], summary: { median: 3, low: 2, high: 4 } },
  { values: [40, 41, 39, 900, 40], summary: { median: 40, low: 40, high: 41 } },
];

test.for(SUMMARIES)("$values", ({ values, summary }) => {
  expect(summarize(values)).toEqual(summary);
});

test("the mean takes every value in", () => {
  expect(mean([10, 20, 60])).toBe(30);
});

test("nothing measured has neither median nor mean", () => {
  expect([median([]), mean([])]).toEqual([Number.NaN, Number.NaN]);
});

test("a busy round slows both and leaves the paired ratio as it is", () => {
  const floor = [40, 400, 50, 45];
  const hook = floor.map((ms) => ms * 1.5);
  expect(pairedRatio(hook, floor)).toBe(1.5);
});

test("rounds are paired before they are sorted", () => {
  expect(pairedRatio([10, 20, 30], [10, 10, 10])).toBe(2);
  expect(pairedRatio([10, 20, 60], [5, 20, 20])).toBe(2);
});

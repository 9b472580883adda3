import { expect, test } from "vitest";
import { compare } from "./compare.ts";

const CASES = [
  { what: "a loss of 16 %", recorded: 1.5, measured: 1.5 * 1.16, isLost: true },
  { what: "a loss of 14 %", recorded: 1.5, measured: 1.5 * 1.14, isLost: false },
  { what: "the same", recorded: 1.5, measured: 1.5, isLost: false },
  { what: "a gain of 40 %", recorded: 2, measured: 1.2, isLost: false },
  { what: "twice as much", recorded: 1.1, measured: 2.2, isLost: true },
];

test.for(CASES)("$what of time", ({ recorded, measured, isLost }) => {
  const comparisons = compare({ time: { flag: recorded }, memory: {} }, { time: { flag: measured }, memory: {} });
  expect(comparisons).toEqual([
    { id: "flag", what: "time", recorded, measured, change: measured / recorded - 1, isLost },
  ]);
});

test.for(CASES)("$what of memory", ({ recorded, measured, isLost }) => {
  const comparisons = compare({ time: {}, memory: { flag: recorded } }, { time: {}, memory: { flag: measured } });
  expect(comparisons.map((one) => [one.what, one.isLost])).toEqual([["memory", isLost]]);
});

test("a case that is only recorded, or only measured, is not compared", () => {
  const recorded = { time: { flag: 1.2, gone: 1 }, memory: { flag: 1.1 } };
  const measured = { time: { flag: 1.2, new: 9 }, memory: {} };
  expect(compare(recorded, measured).map(({ id, what }) => `${id} ${what}`)).toEqual(["flag time"]);
});

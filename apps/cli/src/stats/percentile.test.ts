import { expect, test } from "vitest";
import { percentile } from "./build-stats.ts";

const HUNDRED = Array.from({ length: 100 }, (_, index) => 100 - index);
const cases = [
  { numbers: [], share: 0.5, value: null },
  { numbers: [7], share: 0.5, value: 7 },
  { numbers: [7], share: 0.95, value: 7 },
  { numbers: [3, 1, 2], share: 0.5, value: 2 },
  { numbers: [4, 1, 3, 2], share: 0.5, value: 2 },
  { numbers: HUNDRED, share: 0.95, value: 95 },
  { numbers: [10, 9], share: 0.95, value: 10 },
];
test.for(cases)("$share of $numbers", ({ numbers, share, value }) => {
  expect(percentile(numbers, share)).toBe(value);
});

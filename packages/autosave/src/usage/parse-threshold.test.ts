import { expect, test } from "vitest";
import { parseThreshold } from "./decide-trigger.ts";

const good: [string | undefined, number][] = [
  [undefined, 55],
  ["", 55],
  [" ", 55],
  ["60", 60],
  ["1", 1],
  ["99", 99],
  ["62.5", 62.5],
  ["70%", 70],
];
test.for(good)("%j: %d", ([variable, percent]) => {
  expect(parseThreshold(variable, 55)).toEqual({ percent, warning: null });
});

test.for(["0", "100", "-5", "abc", "NaN", "1e1", "0x20", "4 0", "Infinity"])(
  "%j is nonsense and means 40",
  (variable) => {
    expect(parseThreshold(variable, 55)).toEqual({
      percent: 40,
      warning: expect.stringContaining(JSON.stringify(variable)),
    });
  },
);

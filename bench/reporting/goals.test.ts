import { expect, test } from "vitest";
import { type GoalInput, goalsOf } from "./goals.ts";

const MEASURED: GoalInput = {
  times: {
    floor: [40, 40, 40],
    "git-own-100": [8, 8, 8],
    flag: [50, 52, 54],
    timer: [53, 53, 53],
    "prompt-first": [60, 60, 60],
    "prompt-later": [61, 61, 61],
    "block-0.1": [80, 80, 80],
    "block-1": [82, 82, 82],
    "block-10": [84, 84, 84],
    "block-50": [88, 88, 88],
    "block-500": [87, 87, 87],
    "timer-config": [54, 54, 54],
    "prompt-config": [58, 58, 58],
    "block-config": [98, 98, 98],
    "bash-jq-50": [80, 80, 80],
    "probity-50": [800, 800, 800],
  },
  cpu: {},
  peaks: { floor: [45, 45], flag: [50, 50], "block-50": [72, 72] },
  cases: ["flag", "block-50"],
  idOf: (id) => id,
  rivals: [
    { id: "bash-jq-50", label: "bash", against: "block-50" },
    { id: "probity-50", label: "probity", against: "block-50" },
  ],
};

const isMet = (input: GoalInput): readonly (readonly [number | null, boolean | null])[] =>
  goalsOf(input).map(({ measured, isMet }) => [measured, isMet]);

test("a goal is met up to its limit", () => {
  expect(isMet(MEASURED)).toEqual([
    [1.3, true],
    [1.325, false],
    [1.5, true],
    [1.525, false],
    [2, true],
    [1.35, false],
    [1.45, true],
    [2.25, false],
    [1.1, true],
    [1.6, true],
    [1.1, false],
    [0.11, true],
  ]);
});

test("an executable has goals of its own", () => {
  expect(goalsOf({ ...MEASURED, isExecutable: true, rivals: [] }).map(({ most }) => most)).toEqual([
    0.5, 0.5, 0.6, 0.6, 1.2, 0.5, 0.6, 1.2, 1.1, 1,
  ]);
});

test("what was not measured is neither met nor missed", () => {
  expect(isMet({ ...MEASURED, times: { floor: [40] }, peaks: {} })).toEqual(
    Array.from({ length: 12 }, () => [null, null]),
  );
});

test("each build is held against the same floor, git and rivals", () => {
  const times = Object.entries(MEASURED.times).flatMap(([id, values]) =>
    /^(?:floor|git|bash|probity)/.test(id) ? [[id, values]] : [[`${id}@2`, values]],
  );
  const input = { ...MEASURED, times: Object.fromEntries(times), peaks: {}, idOf: (id: string) => `${id}@2` };
  expect(isMet(input)).toEqual([...isMet(MEASURED).slice(0, 9), [null, null], ...isMet(MEASURED).slice(10)]);
});

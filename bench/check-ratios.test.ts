import { expect, test } from "vitest";
import type { Candidate } from "./candidate.ts";
import { checkRatios, renderCheck } from "./check-ratios.ts";
import type { Measured } from "./reporting/rows.ts";

const candidate = (id: string, kind: Candidate["kind"]): Candidate => ({
  id,
  kind,
  label: id,
  answer: "nothing",
  next: () => ({ measured: [] }),
});

const CANDIDATES = [candidate("floor", "floor"), candidate("flag", "hook"), candidate("timer", "hook")];
const RECORDED = { time: { flag: 1.25, timer: 1.25 }, memory: { flag: 1.1 } };

/** A run with a floor of 40 ms and 50 MB. */
const run = (flag: number, timer: number, peak: number): Measured => ({
  times: { floor: [40, 40], flag: [flag, flag], timer: [timer, timer] },
  cpu: {},
  peaks: { floor: [50], flag: [peak] },
});

const CASES = [
  { what: "nothing lost", first: run(50, 50, 55), isPassed: true, lost: [] },
  { what: "14 % lost", first: run(57, 50, 55), isPassed: true, lost: [] },
  { what: "16 % lost, twice", first: run(58, 50, 55), second: run(58, 50, 55), isPassed: false, lost: ["flag time"] },
  { what: "16 % lost in a busy moment", first: run(58, 50, 55), second: run(50, 50, 55), isPassed: true, lost: [] },
  {
    what: "memory lost, twice",
    first: run(50, 50, 64),
    second: run(50, 50, 64),
    isPassed: false,
    lost: ["flag memory"],
  },
  {
    what: "time lost once, memory the other time",
    first: run(58, 50, 55),
    second: run(50, 50, 64),
    isPassed: true,
    lost: ["flag memory"],
  },
];

test.for(CASES)("$what", async ({ first, second = first, isPassed, lost }) => {
  const result = await checkRatios({
    candidates: CANDIDATES,
    measured: first,
    recorded: RECORDED,
    measureAgain: async () => second,
  });
  expect({
    isPassed: result.isPassed,
    lost: result.comparisons.filter((one) => one.isLost).map(({ id, what }) => `${id} ${what}`),
  }).toEqual({ isPassed, lost });
});

test("only what seems lost is measured again, beside the floor", async () => {
  const asked: string[] = [];
  await checkRatios({
    candidates: CANDIDATES,
    measured: run(58, 50, 55),
    recorded: RECORDED,
    measureAgain: async (some) => {
      asked.push(...some.map(({ id }) => id));
      return run(50, 50, 55);
    },
  });
  expect(asked).toEqual(["floor", "flag"]);
});

test("a check without a record does not pass", async () => {
  const recorded = { time: {}, memory: {} };
  const measureAgain = async (): Promise<Measured> => run(50, 50, 55);
  const result = await checkRatios({ candidates: CANDIDATES, measured: run(50, 50, 55), recorded, measureAgain });
  expect(result.isPassed).toBe(false);
});

test("a loss is told with both ratios", async () => {
  const measured = run(80, 50, 55);
  const measureAgain = async (): Promise<Measured> => measured;
  const result = await checkRatios({ candidates: CANDIDATES, measured, recorded: RECORDED, measureAgain });
  expect(renderCheck(result)).toBe(
    [
      "| case | ratio of | recorded | measured | change |      |",
      "| ---- | -------- | -------: | -------: | ------ | ---- |",
      "| flag | time     |     1.25 |     2.00 | +60 %  | lost |",
      "",
      "More than 15 % above the recorded ratio, twice.",
    ].join("\n"),
  );
});

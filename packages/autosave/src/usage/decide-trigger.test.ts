import { describe, expect, test } from "vitest";
import { decideTrigger, markAfterSave, type Trigger } from "./decide-trigger.ts";

const noon = new Date("2026-11-16T12:00:00Z");
const after = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);
const facts = { isCompacted: false, threshold: 40, mark: null, now: noon };
const fired = { at: noon, isArmed: false, hasFailed: false };

describe("one stop", () => {
  const cases: { is: string; given: object; verdict: Trigger["verdict"]; isRearmed?: boolean }[] = [
    { is: "nobody knows", given: { percent: null }, verdict: "usage-unknown" },
    { is: "below", given: { percent: 39.9 }, verdict: "below-threshold" },
    { is: "at the threshold", given: { percent: 40 }, verdict: "due" },
    { is: "above after a save", given: { percent: 90, mark: fired, now: after(60) }, verdict: "cooldown" },
    { is: "just below after a save", given: { percent: 36, mark: fired, now: after(60) }, verdict: "below-threshold" },
    { is: "far below after a save", given: { percent: 34, mark: fired }, verdict: "below-threshold", isRearmed: true },
    {
      is: "compacted",
      given: { percent: null, isCompacted: true, mark: fired },
      verdict: "usage-unknown",
      isRearmed: true,
    },
    {
      is: "armed again, too soon",
      given: { percent: 41, mark: { ...fired, isArmed: true }, now: after(9) },
      verdict: "cooldown",
    },
    {
      is: "armed again, later",
      given: { percent: 41, mark: { ...fired, isArmed: true }, now: after(11) },
      verdict: "due",
    },
    {
      is: "after a failure",
      given: { percent: 41, mark: { ...fired, hasFailed: true }, now: after(11) },
      verdict: "due",
    },
    {
      is: "right after a failure",
      given: { percent: 41, mark: { ...fired, hasFailed: true }, now: after(1) },
      verdict: "cooldown",
    },
    {
      is: "a low threshold",
      given: { percent: 1, threshold: 3, mark: fired },
      verdict: "below-threshold",
      isRearmed: true,
    },
  ];
  test.for(cases)("$is: $verdict", ({ given, verdict, isRearmed = false }) => {
    const trigger = decideTrigger({ percent: null, ...facts, ...given });
    expect(trigger.verdict).toBe(verdict);
    expect(trigger.mark?.isArmed ?? false).toBe(isRearmed);
  });
});

test("a session: once per crossing, whatever the context does in between", () => {
  const course = [10, 39, 41, 60, 80, 38, 42, 20, 45, 50, null, 12, 44];
  let mark: Parameters<typeof decideTrigger>[0]["mark"] = null;
  const saved: (number | null)[] = [];
  for (const [index, percent] of course.entries()) {
    const now = after(index * 20);
    const trigger = decideTrigger({ percent, isCompacted: percent === null, threshold: 40, mark, now });
    mark = trigger.mark ?? mark;
    if (trigger.verdict !== "due") continue;
    saved.push(percent);
    mark = markAfterSave("committed", now) ?? mark;
  }
  expect(saved).toEqual([41, 45, 44]);
});

test("a save that had nothing to do leaves the crossing open", () => {
  expect(markAfterSave("nothing-to-do", noon)).toBeUndefined();
  expect(markAfterSave("failed:commit", noon)).toEqual({ at: noon, isArmed: false, hasFailed: true });
  expect(markAfterSave("refused:merge", noon)).toEqual(fired);
});

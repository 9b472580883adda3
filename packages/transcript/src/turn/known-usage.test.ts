import { expect, test } from "vitest";
import { knownUsage } from "./known-usage.ts";

const reported = { tokens: 50_000, window: 200_000, source: "model-name", model: "m", timestamp: null } as const;

test("the share of the window, rounded", () => {
  expect(knownUsage(reported)).toEqual({ ...reported, status: "known", percent: 25, ageMs: null });
  expect(knownUsage({ ...reported, tokens: 1500 })).toMatchObject({ percent: 1 });
});

test.for([null, 0, -1])("a window of %s has no share", (window) => {
  expect(knownUsage({ ...reported, window })).toMatchObject({ percent: null });
});

test("without a window there is no source for it", () => {
  expect(knownUsage({ ...reported, window: null })).toMatchObject({ source: "none" });
  expect(knownUsage({ ...reported, window: 1 })).toMatchObject({ source: "model-name" });
});

test("its age, and none from the future", () => {
  const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
  const age = (timestamp: Date): number | null => {
    const usage = knownUsage({ ...reported, timestamp });
    return usage.status === "known" ? usage.ageMs : null;
  };
  expect(age(minutesAgo(10))).toBeGreaterThanOrEqual(600_000);
  expect(age(minutesAgo(10))).toBeLessThan(660_000);
  expect(age(minutesAgo(-10))).toBe(0);
});

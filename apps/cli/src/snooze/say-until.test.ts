import { expect, test } from "vitest";
import { sayUntil } from "./say-until.ts";

const now = new Date(2026, 10, 16, 23, 50);
const cases = [
  { until: new Date(2026, 10, 16, 23, 59), said: "23:59" },
  { until: new Date(2026, 10, 17, 0, 5), said: "tomorrow 00:05" },
  { until: new Date(2026, 10, 20, 8, 15), said: "Fri 20 Nov 08:15" },
];
test.for(cases)("$said", ({ until, said }) => {
  expect(sayUntil(until, now)).toBe(said);
});

import { expect, test } from "vitest";
import { checkLatency } from "./agent-checks.ts";

const cases = [
  { stopMs: 160, nodeStartMs: 40, level: "ok", says: "160 ms for a judged stop, 4.0 times the start of Node (40 ms)" },
  { stopMs: 250, nodeStartMs: 10, level: "ok", says: "25.0 times" },
  { stopMs: 600, nodeStartMs: 180, level: "ok", says: "above the budget of 250 ms, as this machine is slow or busy" },
  { stopMs: 600, nodeStartMs: 40, level: "warn", says: "15.0 times the start of Node (40 ms); the budget is 250 ms" },
] as const;
test.for(cases)("$stopMs ms where Node takes $nodeStartMs: $level", ({ stopMs, nodeStartMs, level, says }) => {
  const finding = checkLatency({ canaries: [{ stopMs }], nodeStartMs });
  expect(finding?.level).toBe(level);
  expect(finding?.what).toContain(says);
});

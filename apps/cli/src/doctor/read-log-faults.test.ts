import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readLogFaults } from "./machine-checks.ts";

const now = new Date("2026-03-02T09:00:00Z");

test("only the end of a large log is read, from a whole line on", () => {
  const folder = mkdtempSync(join(tmpdir(), "checkpoint-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "checkpoint.log");
  const line = `2026-03-02T08:00:00.000Z error failed-open detail=${"x".repeat(1000)}\n`;
  writeFileSync(path, line.repeat(2000) + "no line of a log\n2026-03-02T08:30:00.000Z warn degraded detail=last\n");
  const faults = readLogFaults(path, now);
  expect(faults.at(-1)).toEqual({ at: new Date("2026-03-02T08:30:00.000Z"), text: "degraded detail=last" });
  expect(faults.length).toBeGreaterThan(200);
  expect(faults.length).toBeLessThan(300);
});

test("no log is no fault", () => {
  expect(readLogFaults("/there/is/no/such/log", now)).toEqual([]);
});

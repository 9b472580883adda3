import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Candidate } from "../candidate.ts";
import type { Command } from "./command.ts";
import { takeTime } from "./take-time.ts";

const folder = mkdtempSync(join(tmpdir(), "bench-time-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (script: string): Command => ({ program: process.execPath, args: ["-e", script], cwd: folder, env: {} });

const candidate = (call: ReturnType<Candidate["next"]>): Candidate => ({
  id: "node",
  label: "node",
  kind: "hook",
  answer: "nothing",
  next: () => call,
});

const SLEEP = node("setTimeout(() => {}, 300)");
const WORK = node("while (process.cpuUsage().user < 500_000) for (let step = 0; step < 1e6; step += 1);");

/** Ends well once the other has begun. */
const meet = (own: string, other: string): Command =>
  node(`const fs = require("node:fs");
fs.writeFileSync("${own}", "");
setTimeout(() => process.exit(1), 10_000).unref();
const look = setInterval(() => fs.existsSync("${other}") && clearInterval(look), 5);`);

test("what comes before is not measured", async () => {
  const start = performance.now();
  const { ms } = await takeTime(candidate({ before: [SLEEP, SLEEP], measured: [node("0")] }));
  expect(performance.now() - start - ms).toBeGreaterThan(600);
});

test("what is measured starts at the same moment", async () => {
  const { ms } = await takeTime(candidate({ measured: [meet("one", "two"), meet("two", "one"), SLEEP] }));
  expect(ms).toBeGreaterThan(300);
});

test.runIf(process.platform === "linux")("processor time is that of work, not of waiting", async () => {
  const waited = await takeTime(candidate({ measured: [SLEEP] }));
  const worked = await takeTime(candidate({ measured: [WORK] }));
  expect(worked.cpuMs).toBeGreaterThan(waited.cpuMs ?? Number.NaN);
});

test("a call with another answer fails", async () => {
  const talkative = candidate({ measured: [node("console.log(1)")] });
  await expect(takeTime(talkative)).rejects.toThrow(
    'node should have answered nothing; found {"exitCode":0,"stdout":"1\\n"',
  );
});

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { callCommand, type CommandCall } from "./call-command.ts";

const call = (command: string, more: Partial<CommandCall> = {}) =>
  callCommand({
    shell: "sh",
    command,
    input: "in",
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"] },
    timeoutMs: 5000,
    ...more,
  });

const cases = [
  { command: "cat; echo err >&2; exit 3", end: "exited", exitCode: 3, stdout: "in", stderr: "err\n" },
  { command: "true", end: "exited", exitCode: 0, stdout: "", stderr: "" },
  { command: "exec sleep 60", more: { timeoutMs: 200 }, end: "timed-out", exitCode: null, stdout: "", stderr: "" },
  { command: "sleep 60 & echo {}", end: "held-open", exitCode: 0, stdout: "{}\n", stderr: "" },
  { command: "kill -9 $$", end: "exited", exitCode: 128, stdout: "", stderr: "" },
] as const;
test.for(cases)("$command: $end", async ({ command, end, exitCode, stdout, stderr, ...rest }) => {
  const answer = await call(command, "more" in rest ? rest.more : {});
  expect(answer).toMatchObject({ end, exitCode, stdout, stderr });
  expect(answer.durationMs).toBeLessThan(4000);
});

test("output without end is cut off", async () => {
  const { end, stdout } = await call("yes");
  expect(end).toBe("flooded");
  expect(stdout.length).toBeLessThan(8 * 1024 * 1024);
});

test("a text that is larger than a pipe reaches the command", async () => {
  const { stdout } = await call("wc -c", { input: "x".repeat(1_000_000) });
  expect(stdout.trim()).toBe("1000000");
});

test("a shell that is not there is told", async () => {
  expect(await call("true", { cwd: "/there/is/no/such/folder" })).toMatchObject({ end: "not-started" });
});

test("nothing is left of a command that was given up", async () => {
  const folder = mkdtempSync(join(tmpdir(), "checkpoint-call-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { end } = await call("(sleep 1; touch late) & sleep 60", { cwd: folder, timeoutMs: 300 });
  await sleep(1500);
  expect(end).toBe("timed-out");
  expect(readdirSync(folder)).toEqual([]);
});

import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { runInNamespace } from "./run-in-namespace.ts";
import { createSandbox } from "./sandbox.ts";
import type { Performance } from "./stage.ts";

const MARK = `${process.pid}7171`;

test("a command sees the sandbox's home, and nothing of this machine's /tmp", async () => {
  const folder = mkdtempSync("/tmp/machine-");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { exitCode, stdout } = await perform(["sh", "-c", `pwd; cat note.txt; hostname; test -e ${folder}`]);
  expect(exitCode).toBe(1);
  expect(stdout).toBe("/home/dev/project\nhello\ndev-machine\n");
});

test("a command gets only the environment that it was given", async () => {
  const { stdout } = await perform(["env"]);
  const names = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split("=")[0]);
  expect(new Set(names)).toEqual(new Set(["GIVEN", "HOME", "LANG", "PATH", "TERM", "TMPDIR"]));
});

test("the only network is loopback", async () => {
  const { stdout } = await perform(["sh", "-c", "ip -o link | cut -d: -f2 | xargs"]);
  expect(stdout).toBe("lo\n");
});

test("what a command leaves behind ends with it", async () => {
  const { exitCode } = await perform(["sh", "-c", `setsid sleep ${MARK} > /dev/null 2>&1 & exit 0`]);
  expect(exitCode).toBe(0);
  expect(running(MARK)).toBe(false);
});

test("a command that outlives its time is ended", async () => {
  const { exitCode } = await perform(["sleep", MARK], 300);
  expect(exitCode).toBeNull();
  await sleep(100);
  expect(running(MARK)).toBe(false);
});

async function perform(command: readonly string[], timeLimitMs = 10_000): Promise<Performance> {
  const sandbox = await createSandbox({ "note.txt": "hello\n" });
  onTestFinished(() => sandbox.remove());
  return runInNamespace(sandbox, {
    agent: "claude",
    script: { replies: [] },
    command,
    env: { GIVEN: "1" },
    timeLimitMs,
  });
}

function running(argument: string): boolean {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.some((pid) => {
    try {
      return readFileSync(join("/proc", pid, "cmdline"), "utf8")
        .split("\0")
        .includes(argument);
    } catch {
      return false;
    }
  });
}

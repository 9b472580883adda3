import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("../dist/checkpoint.mjs", import.meta.url));

test("a clone has a launcher that brings its own Node along, wherever it is called from", async () => {
  const launcher = fileURLToPath(new URL("../../../checkpoint", import.meta.url));
  const { stdout } = await execa(launcher, ["--version"], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    extendEnv: false,
  });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+$/);
});

test("a reader that has seen enough ends the program without a word", async () => {
  const { stdout, stderr, exitCode } = await execa("sh", [
    "-c",
    '{ "$0" "$1" completion bash; echo "ended with $?" >&2; } | head -n 0',
    process.execPath,
    PROGRAM,
  ]);
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: "", stderr: "ended with 0", exitCode: 0 });
});

test.for(["snooze 2h", "uninstall"])(
  "an agent that takes its variable away is refused to %s all the same",
  async (words) => {
    const home = mkdtempSync(join(tmpdir(), "checkpoint-agent-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const script = `CLAUDECODE= "$0" "$1" ${words}; exit $?`;
    const { exitCode, stderr } = await execa("sh", ["-c", script, process.execPath, PROGRAM], {
      env: { CLAUDECODE: "1", HOME: home, CHECKPOINT_HOME: join(home, "store"), PATH: process.env["PATH"] ?? "" },
      extendEnv: false,
      cwd: home,
      reject: false,
    });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(
        /shell call of Claude Code \(CLAUDECODE is set in process \d+ above\), and only a person/,
      ),
    });
  },
);

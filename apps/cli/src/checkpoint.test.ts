import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, test } from "vitest";

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

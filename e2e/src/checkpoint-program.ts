import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import type { Sandbox } from "./sandbox.ts";

/** The store's folder in a sandbox's home. */
export const CHECKPOINT_HOME = ".checkpoint";

/** How the built `checkpoint` is called. */
export const CHECKPOINT: readonly [string, string] = [
  process.execPath,
  fileURLToPath(new URL("../../apps/cli/dist/checkpoint.mjs", import.meta.url)),
];

/** Runs `checkpoint` in a sandbox's project, as its user; a failure is the test's. */
export async function checkpoint(sandbox: Sandbox, ...args: readonly string[]): Promise<string> {
  const { stdout } = await execa(CHECKPOINT[0], [CHECKPOINT[1], ...args], {
    cwd: sandbox.project,
    env: {
      PATH: process.env["PATH"],
      HOME: sandbox.home,
      CHECKPOINT_HOME: join(sandbox.home, CHECKPOINT_HOME),
    },
    extendEnv: false,
    // What `doctor` finds is said by the exit code too.
    reject: args[0] !== "doctor",
  });
  return stdout;
}

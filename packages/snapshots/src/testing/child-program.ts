import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";
import type { SafetyOptions } from "../place.ts";
import type { CreateResult, RestoreRequest, RestoreResult } from "../index.ts";
import type { CheckpointRequest } from "../scope.ts";

/** What a child process shall do, and at which of its steps it ends; null for never. */
export interface ChildJob {
  readonly options: Omit<SafetyOptions, "step" | "progress" | "now">;
  readonly create?: CheckpointRequest;
  readonly restore?: RestoreRequest;
  readonly killAt: number | null;
}

/** The result of a child process; null if it was killed. */
export interface ChildOutcome {
  readonly result: CreateResult | RestoreResult;
  readonly steps: readonly string[];
}

export interface ChildProgram {
  readonly run: (job: ChildJob, wrapper?: readonly string[]) => ChildOutcome | null;
  readonly remove: () => void;
}

/** Builds the child program to one file, from where it finds the libraries. */
export async function buildChildProgram(): Promise<ChildProgram> {
  const folder = fileURLToPath(
    new URL(`../../node_modules/.safety-child-${process.pid}-${Date.now()}`, import.meta.url),
  );
  await build({
    config: false,
    entry: { child: fileURLToPath(new URL("./child.ts", import.meta.url)) },
    outDir: folder,
    format: "esm",
    platform: "node",
    dts: false,
    deps: { neverBundle: ["better-sqlite3"] },
    logLevel: "silent",
  });
  const path = join(folder, "child.mjs");
  return {
    run: (job, wrapper = []) => {
      const command = [process.execPath, path, JSON.stringify(job)];
      const [program, ...args] = [...wrapper, ...command];
      const { stdout, stderr, signal, status } = spawnSync(program ?? "", args, { encoding: "utf8" });
      if (signal === "SIGKILL" || status === 137) return null;
      if (status !== 0) throw new Error(stderr);
      return JSON.parse(stdout) as ChildOutcome;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

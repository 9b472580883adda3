import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { build } from "tsdown";
import type { SaveReport, SaveRequest } from "../index.ts";

/** What a child process shall save, and at which of its steps it is killed; null for never. */
export interface ChildJob {
  readonly request: SaveRequest;
  readonly killAt: string | null;
}

/** What a child process came to; null if it was killed. */
export interface ChildOutcome {
  readonly report: SaveReport;
  readonly steps: readonly string[];
}

export interface ChildProgram {
  readonly run: (job: ChildJob) => Promise<ChildOutcome | null>;
  readonly remove: () => void;
}

const SOURCES = ["categories", "composer", "heuristics", "safety", "store", "transcript"];

/** Builds the child program to one file, from the sources of all packages. */
export async function buildChildProgram(): Promise<ChildProgram> {
  const folder = fileURLToPath(
    new URL(`../../node_modules/.direct-child-${process.pid}-${Date.now()}`, import.meta.url),
  );
  await build({
    config: false,
    entry: { child: fileURLToPath(new URL("./child.ts", import.meta.url)) },
    outDir: folder,
    format: "esm",
    platform: "node",
    dts: false,
    deps: { alwaysBundle: [/.*/], neverBundle: ["better-sqlite3"], onlyBundle: false },
    alias: Object.fromEntries(
      SOURCES.map((name) => [
        `@agent-checkpoint/${name}`,
        fileURLToPath(new URL(`../../../${name}/src/index.ts`, import.meta.url)),
      ]),
    ),
    logLevel: "silent",
  });
  return {
    run: async (job) => {
      const { stdout, stderr, exitCode, signal } = await execa(
        process.execPath,
        [join(folder, "child.mjs"), JSON.stringify(job)],
        {
          reject: false,
        },
      );
      if (signal === "SIGKILL") return null;
      if (exitCode !== 0) throw new Error(stderr);
      return JSON.parse(stdout) as ChildOutcome;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";
import { SOURCE_CONDITION } from "../../../../scripts/package-build.ts";

/** A program for child processes, built to one file from the sources. */
export interface ChildProgram {
  /** The command line that does a job. */
  readonly command: (job: string, ...args: string[]) => string[];
  readonly remove: () => void;
}

/** Builds the child program. */
export async function buildChildProgram(): Promise<ChildProgram> {
  const folder = fileURLToPath(new URL(`../../node_modules/.phases-child-${process.pid}`, import.meta.url));
  await build({
    config: false,
    entry: { child: fileURLToPath(new URL("./child.ts", import.meta.url)) },
    outDir: folder,
    format: "cjs",
    platform: "node",
    dts: false,
    deps: { alwaysBundle: [/.*/] },
    inputOptions: { resolve: { conditionNames: [SOURCE_CONDITION, "import", "default"] } },
    outputOptions: { codeSplitting: false },
    logLevel: "silent",
  });
  return {
    command: (job, ...args) => [process.execPath, join(folder, "child.cjs"), job, ...args],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

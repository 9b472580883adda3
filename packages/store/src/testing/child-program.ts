import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";
import { join } from "node:path";

/** A program for child processes, built to one file, because two hundred of them are to start quickly. */
export interface ChildProgram {
  readonly path: string;
  readonly remove: () => void;
}

/** Builds the child program where it finds the packages. */
export async function buildChildProgram(): Promise<ChildProgram> {
  const folder = fileURLToPath(new URL(`../../node_modules/.store-child-${process.pid}`, import.meta.url));
  await build({
    config: false,
    entry: { child: fileURLToPath(new URL("./child.ts", import.meta.url)) },
    outDir: folder,
    format: "cjs",
    platform: "node",
    dts: false,
    outputOptions: { codeSplitting: false },
    logLevel: "silent",
  });
  return { path: join(folder, "child.cjs"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

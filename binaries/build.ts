/**
 * Builds the hook as one executable for this platform, into the `dist` folder of the package that it is started in. A
 * package of another platform is left alone: each is built and tried on a machine of its own.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { SOURCE_CONDITION } from "../scripts/package-build.ts";
import { writeNotices } from "../scripts/third-party-notices.ts";

const platform = `${process.platform}-${process.arch}`;
const isWindows = process.platform === "win32";

const OPTIONS = [
  "--compile",
  "--bytecode",
  "--minify",
  "--format=esm",
  // What an event does not need is not loaded.
  "--splitting",
  "--min-chunk-size=16384",
  `--conditions=${SOURCE_CONDITION}`,
  // The folder that an agent works in has no say in how its hook runs.
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
];

/** The executable holds its runtime, whose package has no licence file. */
const RUNTIME = `Bun (MIT), with JavaScriptCore (LGPL-2) and other libraries.

Bun's own licence, the licences of the libraries in it, and how to build it with another JavaScriptCore:
https://bun.com/docs/project/license
`;

if (basename(process.cwd()) === platform) {
  const entry = join(import.meta.dirname, "..", "apps", "hook-receiver", "src", "checkpoint-hook-binary.ts");
  const outfile = join("dist", isWindows ? "checkpoint-hook.exe" : "checkpoint-hook");
  const metafile = join("dist", "metafile.json");
  const args = ["build", ...OPTIONS, `--metafile=${metafile}`, "--outfile", outfile, entry];
  const { error, status } = spawnSync("bun", args, { stdio: ["ignore", "ignore", "inherit"], shell: isWindows });
  if (error === undefined) process.exitCode = status ?? 1;
  if (status === 0) {
    const { inputs } = JSON.parse(readFileSync(metafile, "utf8")) as {
      readonly inputs: Readonly<Record<string, object>>;
    };
    writeNotices(
      "dist",
      Object.keys(inputs).map((path) => resolve(path)),
      RUNTIME,
    );
    rmSync(metafile);
  }
  if (error !== undefined)
    console.error(`Bun is not installed for ${platform}, so the hook runs on Node: ${error.message}`);
}

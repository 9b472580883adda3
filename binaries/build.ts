/**
 * Builds the hook as one executable for this platform, into the `dist` folder of the package that it is started in. A
 * package of another platform is left alone: each is built and tried on a machine of its own.
 */
import { spawnSync } from "node:child_process";
import { basename, join } from "node:path";
import { SOURCE_CONDITION } from "../scripts/package-build.ts";

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

if (basename(process.cwd()) === platform) {
  const entry = join(import.meta.dirname, "..", "apps", "hook-receiver", "src", "checkpoint-hook-binary.ts");
  const outfile = join("dist", isWindows ? "checkpoint-hook.exe" : "checkpoint-hook");
  const { error, status } = spawnSync("bun", ["build", ...OPTIONS, "--outfile", outfile, entry], {
    stdio: ["ignore", "ignore", "inherit"],
    shell: isWindows,
  });
  if (error === undefined) process.exitCode = status ?? 1;
  else console.error(`Bun is not installed for ${platform}, so the hook runs on Node: ${error.message}`);
}

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
const ROOT = join(import.meta.dirname, "..");

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

/** The executable holds its runtime, whose package has no licence file; the LGPL asks for its text and for a way to link anew. */
function runtimeNotices(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, "node_modules", "bun", "package.json"), "utf8")) as {
    readonly version: string;
  };
  const about = `Bun ${version} (MIT), with JavaScriptCore and other parts of WebKit (LGPL-2), TinyCC (LGPL-2.1) and other libraries.

Bun's own licence and the licences of the libraries in it: https://bun.com/docs/project/license
The source of this Bun: https://github.com/oven-sh/bun/tree/bun-v${version}
The source of its WebKit: https://github.com/oven-sh/WebKit

To use a changed WebKit or TinyCC, build Bun with it as its licence page says, and run \`npm run build\` in a clone of this
program's repository with that \`bun\` in node_modules/.bin: everything else in the executable is made from there.
`;
  const texts = ["LGPL-2", "LGPL-2.1"].map((name) =>
    readFileSync(join(import.meta.dirname, "licences", `${name}.txt`), "utf8"),
  );
  return [about, ...texts].join("\n");
}

if (basename(process.cwd()) === platform) {
  const entry = join(ROOT, "apps", "hook-receiver", "src", "checkpoint-hook-binary.ts");
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
      runtimeNotices(),
    );
    rmSync(metafile);
    // macOS on ARM runs nothing unsigned; a signature without a name is enough for what npm installs.
    if (process.platform === "darwin")
      process.exitCode = spawnSync("codesign", ["--force", "--sign", "-", outfile], { stdio: "inherit" }).status ?? 1;
  }
  if (error !== undefined)
    console.error(`Bun is not installed for ${platform}, so the hook runs on Node: ${error.message}`);
}

import type { UserConfig } from "tsdown";

/** One CommonJS file with everything in it but SQLite's binary: it starts faster than an ES module and finds nothing missing. */
const config: UserConfig = {
  entry: { "checkpoint-hook": "src/checkpoint-hook.ts" },
  format: "cjs",
  platform: "node",
  // Older than what the program needs, so that an old Node gets far enough to be told so.
  target: "node16",
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  // The CommonJS build of a library may load parts by names that a bundler cannot follow.
  inputOptions: { resolve: { mainFields: ["module", "main"] } },
  outputOptions: { codeSplitting: false },
  minify: true,
  dts: false,
  clean: true,
  fixedExtension: true,
  banner: "#!/usr/bin/env node",
  logLevel: "warn",
};

/** The program that saves work stands beside it: what it needs is not read at every stop. */
export const saveProgram: UserConfig = {
  ...config,
  entry: { "checkpoint-save": "src/checkpoint-save.ts" },
  clean: false,
};

export const hookProgram: UserConfig = config;

const programs: readonly UserConfig[] = [hookProgram, saveProgram];

export default programs;

import { resolve } from "node:path";
import type { UserConfig } from "tsdown";
import { SOURCE_CONDITION } from "../../scripts/package-build.ts";

const here = (path: string): string => resolve(import.meta.dirname, path);

/** CommonJS with everything in it, which starts faster than ES modules and finds nothing missing. */
const config = {
  format: "cjs",
  platform: "node",
  // Older than what the programs need, so that an old Node gets far enough to be told so.
  target: "node16",
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  inputOptions: {
    experimental: { lazyBarrel: true },
    resolve: {
      // The CommonJS build of a library may load parts by names that a bundler cannot follow.
      mainFields: ["module", "main"],
      conditionNames: [SOURCE_CONDITION, "import", "default"],
    },
  },
  minify: true,
  dts: false,
  clean: false,
  fixedExtension: true,
  logLevel: "warn",
} satisfies UserConfig;

/** The hook; whatever it imports lazily is a file of its own. */
const hookProgram: UserConfig = {
  ...config,
  entry: { "checkpoint-hook": here("src/checkpoint-hook.ts") },
  outputOptions: { chunkFileNames: "checkpoint-hook-[name].cjs" },
};

/** Built apart, so that the chunks of the one are not cut to fit the other. */
const saveProgram: UserConfig = {
  ...config,
  entry: { "checkpoint-save": here("src/checkpoint-save.ts") },
  outputOptions: { chunkFileNames: "checkpoint-save-[name].cjs" },
};

export const hookPrograms: readonly UserConfig[] = [hookProgram, saveProgram];

const programs: readonly UserConfig[] = [hookProgram, { ...saveProgram, clean: true }];

export default programs;

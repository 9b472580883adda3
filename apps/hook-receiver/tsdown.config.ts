import type { UserConfig } from "tsdown";
import { SOURCE_ENTRIES } from "../../scripts/source-entries.ts";

/**
 * CommonJS with everything in it, which starts faster than ES modules and finds nothing missing.
 * A part is read when it is needed: a stop that passes by its flag reads a tenth of what a blocked one does.
 */
const config: UserConfig = {
  entry: { "checkpoint-hook": "src/checkpoint-hook.ts" },
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
      // From the sources, so that what lies in one package can go to several parts.
      alias: Object.fromEntries(SOURCE_ENTRIES.map(({ name, file }) => [`${name}$`, file])),
    },
  },
  minify: true,
  dts: false,
  clean: true,
  fixedExtension: true,
  banner: "#!/usr/bin/env node",
  logLevel: "warn",
};

export const hookProgram: UserConfig = config;

/** Built apart, so that the parts of the one are not cut to fit the other. */
export const saveProgram: UserConfig = {
  ...config,
  entry: { "checkpoint-save": "src/checkpoint-save.ts" },
  clean: false,
};

const programs: readonly UserConfig[] = [hookProgram, saveProgram];

export default programs;

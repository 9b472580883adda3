import { resolve } from "node:path";
import type { UserConfig } from "tsdown";
import { SOURCE_CONDITION } from "../../scripts/package-build.ts";
import { asciiOnly } from "./scripts/ascii-only.ts";
import { inlineRuntime } from "./scripts/inline-runtime.ts";
import { buildName, nameBuild } from "./scripts/name-build.ts";
import { partsOf } from "./scripts/parts-of.ts";
import { writeParts } from "./scripts/write-parts.ts";

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
      // From the sources, so that what lies in one package can go to several parts.
      conditionNames: [SOURCE_CONDITION, "import", "default"],
    },
  },
  minify: true,
  dts: false,
  clean: false,
  fixedExtension: true,
  logLevel: "warn",
} satisfies UserConfig;

/** Leaves the part that reads globs to be loaded when it is needed. */
const globsApart: NonNullable<UserConfig["plugins"]> = {
  name: "globs-apart",
  resolveId: (id) => (id === "micromatch" ? here("src/parts/lazy-micromatch.ts") : null),
};

const banner = "#!/usr/bin/env node";

/**
 * The hook: a small program that agents start, and the parts that it loads when they are needed.
 * A stop that passes by its flag loads the first, as a prompt does; a session's first prompt and the stop of a turn that has
 * just begun also what looks at files and rules; a stop that is judged what opens the store as well, and one whose content
 * is weighed everything.
 */
export const hookPrograms: readonly UserConfig[] = [
  { ...config, entry: { "checkpoint-hook": here("src/checkpoint-hook.ts") }, banner },
  { ...config, entry: { "checkpoint-hook-globs": here("src/parts/globs.ts") }, plugins: [asciiOnly, writeParts] },
  {
    ...config,
    entry: { "checkpoint-hook-main": here("src/hook-program.ts") },
    plugins: [globsApart, inlineRuntime, asciiOnly, writeParts, nameBuild],
    define: buildName,
    inputOptions: { ...config.inputOptions, preserveEntrySignatures: "allow-extension" },
    outputOptions: {
      chunkFileNames: "checkpoint-hook-[name].cjs",
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          {
            debugName: "parts",
            name: partsOf([
              { name: "main", roots: [here("src/hook-program.ts")] },
              {
                name: "look",
                roots: [
                  here("src/take-first-look.ts"),
                  here("src/let-young-go.ts"),
                  sourceOf("categories/src/globs.ts"),
                ],
              },
              {
                name: "record",
                roots: [here("src/handle-recorded.ts"), sourceOf("store/src/sqlite/drivers/node-sqlite.ts")],
              },
              {
                name: "content",
                roots: [sourceOf("gate/src/judge-content.ts"), sourceOf("autosave/src/threshold.ts")],
              },
              {
                name: "rules",
                roots: [
                  sourceOf("composer/src/rules/load-rules.ts"),
                  sourceOf("categories/src/config/parse-config.ts"),
                  sourceOf("categories/src/config/resolve-rules.ts"),
                  sourceOf("categories/src/config/schema.ts"),
                  sourceOf("categories/src/presets/presets.ts"),
                  sourceOf("categories/src/presets/languages.ts"),
                  sourceOf("categories/src/safety-rules.ts"),
                ],
              },
              { name: "facts", roots: [sourceOf("repository/src/index.ts")] },
            ]),
          },
        ],
      },
    },
  },
];

/** Built apart, so that the parts of the one are not cut to fit the other. */
export const saveProgram: UserConfig = {
  ...config,
  entry: { "checkpoint-save": here("src/checkpoint-save.ts") },
  banner,
};

const programs: readonly UserConfig[] = [...hookPrograms, { ...saveProgram, clean: true }];

export default programs;

function sourceOf(path: string): string {
  return here(`../../packages/${path}`);
}

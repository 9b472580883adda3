import { resolve } from "node:path";
import type { UserConfig } from "tsdown";
import { SOURCE_CONDITION } from "../../scripts/package-build.ts";
import { thirdPartyNotices } from "../../scripts/third-party-notices.ts";

const here = (path: string): string => resolve(import.meta.dirname, path);

const packages = (path: string): string => here(`../../packages/${path}`);

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
  plugins: [thirdPartyNotices()],
  logLevel: "warn",
} satisfies UserConfig;

/**
 * The files that the hook is loaded from, each with the module that it is made for: a module goes to the first one that
 * cannot do without it. Alone, the bundler makes twenty small
 * ones, at a quarter of a millisecond each.
 */
const FILES = [
  { name: "main", root: here("src/run-program.ts") },
  { name: "globs", root: packages("categories/src/categorize.ts") },
  { name: "globs", root: packages("categories/src/config/config-problem.ts") },
  { name: "rules", root: packages("composer/src/rules/load-rules.ts") },
  { name: "judge", root: packages("composer/src/gate/weigh-content.ts") },
] as const;

/** What the program loads before it can use its cache. */
const OF_THE_ENTRY =
  /(hook-receiver.src.(checkpoint-hook|read-stdin|code-cache)|files.src.(append-line|checkpoint-home|node-version|unknown-values))\.ts$/;

interface ModuleGraph {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null;
}

function fileOf(id: string, graph: ModuleGraph): string | null {
  if (OF_THE_ENTRY.test(id)) return null;
  return FILES.find(({ root }) => isNeededBy(root, id, graph))?.name ?? null;
}

const needs = new Map<string, ReadonlySet<string>>();

function isNeededBy(root: string, id: string, graph: ModuleGraph): boolean {
  let found = needs.get(root);
  if (found === undefined) {
    if (graph.getModuleInfo(root) === null) throw new Error(`${root} is no module of the hook any more`);
    const reached = new Set([root]);
    for (const one of reached)
      for (const imported of graph.getModuleInfo(one)?.importedIds ?? []) reached.add(imported);
    needs.set(root, (found = reached));
  }
  return found.has(id);
}

const hookProgram: UserConfig = {
  ...config,
  entry: { "checkpoint-hook": here("src/checkpoint-hook.ts") },
  outputOptions: {
    chunkFileNames: "checkpoint-hook-[name].cjs",
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: fileOf }] },
  },
  inputOptions: { ...config.inputOptions, preserveEntrySignatures: "allow-extension" },
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

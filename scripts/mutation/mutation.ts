// Mutation testing, one package after the other: breaks the sources in small ways and asks whether a test notices.
// Works in a copy under .stryker-tmp; reports and the results of earlier runs are stored in reports/mutation.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Stryker } from "@stryker-mutator/core";

/** The packages whose tests are measured, each with the tests that a mutant meets. */
const PACKAGES = {
  heuristics: "tests that reach it",
  // The schema of the config is made once and remembered: only the first test is seen to reach it.
  categories: "all tests",
  transcript: "tests that reach it",
} as const;

type Package = keyof typeof PACKAGES;

const NAMES = Object.keys(PACKAGES) as Package[];

/** The least share of mutants, in percent, that the tests have to notice. */
const MIN_SCORE = 85;

/** Sources that are for tests only. */
const NOT_MUTATED = ["*.test.ts", "testing/**", "test-calls.ts"];

/** What the copy does without: other programs, and tests that are slow, drawn by lot or about time, memory and stack. */
const NOT_COPIED = [
  ".stryker-tmp",
  "apps",
  "e2e",
  "plugins",
  "dist",
  "*.fuzz.test.ts",
  "*.security.test.ts",
  "shared-transcripts.test.ts",
  "turn-seen-again.test.ts",
  "properties.test.ts",
  "long-texts.test.ts",
  "hostile-turns.test.ts",
  "deeper-than-the-stack.test.ts",
  "one-turn-in-memory.test.ts",
  // Stryker would rewrite it through an interface that TypeScript 7 does not have, and the tests need none.
  "tsconfig.json",
];

const names = packagesToTest(process.argv.slice(2));
// A mutant that is caught ends its tests before they have cleaned up.
const scratch = mkdtempSync(join(tmpdir(), "agent-checkpoint-mutation-"));
process.env["TMPDIR"] = scratch;
try {
  for (const name of names) {
    console.log(`\n▸ Mutating ${name} …`);
    rmSync(copyOf(name), { recursive: true, force: true });
    forgetSurvivors(incrementalFile(name));
    process.env["MUTANTS_MEET"] = PACKAGES[name];
    await new Stryker(optionsFor(name)).runMutationTest();
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function packagesToTest(names: readonly string[]): readonly Package[] {
  const unknown = names.filter((name) => !NAMES.some((one) => one === name));
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(", ")}. Mutation testing is set up for ${NAMES.join(", ")}.`);
    process.exit(2);
  }
  return names.length === 0 ? NAMES : NAMES.filter((name) => names.includes(name));
}

function optionsFor(name: Package): ConstructorParameters<typeof Stryker>[0] {
  const sources = `packages/${name}/src`;
  return {
    mutate: [`${sources}/**/*.ts`, ...NOT_MUTATED.map((pattern) => `!${sources}/**/${pattern}`)],
    ignorePatterns: ["*.test.ts", `!${sources}/**/*.test.ts`, ...NOT_COPIED],
    plugins: [import.meta.resolve("@stryker-mutator/vitest-runner")],
    testRunner: "vitest",
    vitest: { configFile: "scripts/mutation/vitest.config.ts" },
    coverageAnalysis: "perTest",
    incremental: true,
    incrementalFile: incrementalFile(name),
    concurrency: Math.max(1, availableParallelism() - 1),
    timeoutMS: 3000,
    timeoutFactor: 1,
    tempDirName: copyOf(name),
    cleanTempDir: "always",
    reporters: ["clear-text", "progress-append-only", "html", "json"],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
    htmlReporter: { fileName: `reports/mutation/${name}.html` },
    jsonReporter: { fileName: `reports/mutation/${name}.json` },
    thresholds: { high: 95, low: MIN_SCORE, break: MIN_SCORE },
  };
}

/** Where the package is mutated; an interrupted run leaves it behind. */
function copyOf(name: Package): string {
  return `.stryker-tmp/${name}`;
}

/** The results of earlier runs, complete or interrupted. */
function incrementalFile(name: Package): string {
  return `reports/mutation/${name}-results.json`;
}

interface Results {
  readonly files: Record<string, { mutants: readonly { readonly status: string }[] }>;
}

/**
 * Takes the survivors out of the results of an earlier run, so that they are tried again.
 * Stryker does so only if a new test reaches the mutant, and no test reaches a constant.
 */
function forgetSurvivors(file: string): void {
  if (!existsSync(file)) return;
  const results = JSON.parse(readFileSync(file, "utf8")) as Results;
  for (const source of Object.values(results.files))
    source.mutants = source.mutants.filter(({ status }) => status !== "Survived");
  writeFileSync(file, JSON.stringify(results));
}

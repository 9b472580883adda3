import { defineConfig, type ViteUserConfig } from "vitest/config";
import { SOURCE_CONDITION } from "./scripts/package-build.ts";

const TESTS = ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "scripts/**/*.test.ts", "bench/**/*.test.ts"];

/** Tests that kill, fuzz, crowd or time processes, and those of the recipes: a group of their own. */
const SLOW = [
  "**/*.{fuzz,faults,processes,sessions}.test.ts",
  "**/*killed.test.ts",
  "packages/snapshots/src/**/*.test.ts",
  "scripts/docs/*.test.ts",
];

/** The tests of the hook, which run once more with the executable in the place of the Node program. */
const HOOK = ["apps/hook-receiver/src/**/*.test.ts"];
const NODE_ONLY = ["apps/hook-receiver/src/{code-cache,both-programs.sessions}.test.ts"];
const BINARY = { CHECKPOINT_TESTED_PROGRAM: "binary" };

const ssr = { resolve: { conditions: [SOURCE_CONDITION, "module", "node"] } };

const config: ViteUserConfig = defineConfig({
  test: {
    maxWorkers: "100%",
    projects: [
      { ssr, test: { name: "fast", include: TESTS, exclude: [...SLOW, "**/node_modules/**"], testTimeout: 20_000 } },
      { ssr, test: { name: "slow", include: SLOW, testTimeout: 60_000 } },
      { ssr, test: { name: "binary", include: HOOK, exclude: NODE_ONLY, env: BINARY, testTimeout: 60_000 } },
    ],
  },
});

export default config;

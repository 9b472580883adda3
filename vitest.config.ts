import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";

const PACKAGES = ["transcript", "categories", "heuristics", "composer", "store", "gate", "node-version"];

const config: ViteUserConfig = defineConfig({
  resolve: {
    alias: Object.fromEntries(
      PACKAGES.map((name) => [
        `@agent-checkpoint/${name}`,
        fileURLToPath(new URL(`packages/${name}/src/index.ts`, import.meta.url)),
      ]),
    ),
  },
  test: {
    include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
    testTimeout: 20_000,
  },
});

export default config;

import { defineConfig, type ViteUserConfig } from "vitest/config";
import { SOURCE_ENTRIES } from "./scripts/source-entries.ts";

const config: ViteUserConfig = defineConfig({
  resolve: {
    alias: SOURCE_ENTRIES.map(({ name, file }) => ({ find: new RegExp(`^${name}$`), replacement: file })),
  },
  test: {
    include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "scripts/**/*.test.ts", "bench/**/*.test.ts"],
    testTimeout: 20_000,
  },
});

export default config;

import { defineConfig, type ViteUserConfig } from "vitest/config";
import { SOURCE_CONDITION } from "./scripts/package-build.ts";

const config: ViteUserConfig = defineConfig({
  ssr: { resolve: { conditions: [SOURCE_CONDITION, "module", "node"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "scripts/**/*.test.ts", "bench/**/*.test.ts"],
    testTimeout: 20_000,
  },
});

export default config;

import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";

/** The end-to-end tests: each starts a real agent CLI, so they run one after the other and take their time. */
const config: ViteUserConfig = defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: { include: ["src/**/*.test.ts"], testTimeout: 180_000, fileParallelism: false },
});

export default config;

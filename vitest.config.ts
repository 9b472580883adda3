import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";

/** The entry points of our packages, so that tests run on the sources. */
const ENTRIES: Readonly<Record<string, string>> = {
  transcript: "transcript/src/index.ts",
  "transcript/reading": "transcript/src/reading.ts",
  categories: "categories/src/index.ts",
  heuristics: "heuristics/src/index.ts",
  composer: "composer/src/index.ts",
  "composer/texts": "composer/src/message/texts.ts",
  store: "store/src/index.ts",
  gate: "gate/src/index.ts",
  "gate/note-prompt": "gate/src/note-prompt.ts",
  "gate/stop-row": "gate/src/stop-row.ts",
  "agent-settings": "agent-settings/src/index.ts",
  direct: "direct/src/index.ts",
  "direct/is-autonomous": "direct/src/mode/is-autonomous.ts",
  "direct/threshold": "direct/src/threshold.ts",
  safety: "safety/src/index.ts",
  handoff: "handoff/src/index.ts",
  phases: "phases/src/index.ts",
  "phases/commands": "phases/src/commands.ts",
  "node-version": "node-version/src/index.ts",
};

const config: ViteUserConfig = defineConfig({
  resolve: {
    alias: Object.entries(ENTRIES).map(([name, path]) => ({
      find: new RegExp(`^@agent-checkpoint/${name}$`),
      replacement: fileURLToPath(new URL(`packages/${path}`, import.meta.url)),
    })),
  },
  test: {
    include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
    testTimeout: 20_000,
  },
});

export default config;

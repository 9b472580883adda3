import type { Rules } from "../types.ts";
import { languageRules } from "./language-rules.ts";

const MANAGERS = ["npm", "pnpm", "yarn", "bun"];

const RUNNERS = ["vitest", "jest", "mocha", "ava", "tap", "playwright test", "cypress run", "react-scripts test"];

/** The checkpoint of a repository in JavaScript or TypeScript. */
export const NODE: Rules = languageRules("node", {
  install: {
    instruction: "Install the changed dependencies",
    steps: [
      {
        run: "the install",
        called: "an install of the dependencies",
        evidence: MANAGERS.flatMap((manager) =>
          ["install", "i", "ci", "add", "remove", "uninstall", "update", "up", "dedupe"].map(
            (word) => `${manager} ${word}`,
          ),
        ),
      },
    ],
  },
  tests: [
    ...MANAGERS.flatMap((manager) => [`${manager} test`, `${manager} run test`]),
    "npm t",
    "pnpm t",
    ...RUNNERS,
    // A script runner starts the programs of the project by their bare names; npx and its kin are seen through.
    ...["pnpm", "yarn", "bun run", "pnpm exec"].flatMap((start) => RUNNERS.map((runner) => `${start} ${runner}`)),
    "node --test",
    "tsx --test",
    "deno test",
    "ng test",
    "web-test-runner",
    "turbo test",
    ...["pnpm turbo", "yarn turbo"].flatMap((turbo) => [`${turbo} test`, `${turbo} run test`]),
    "nx test",
    "nx run-many -t test",
    "nx run-many --target=test",
    "nx affected -t test",
    "nx affected --target=test",
  ],
});

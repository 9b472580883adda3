import type { Rules } from "../types.ts";
import { languageRules } from "./language-rules.ts";

const MANAGERS = ["npm", "pnpm", "yarn", "bun"];

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
});

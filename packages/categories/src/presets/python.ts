import type { Rules } from "../types.ts";
import { languageRules } from "./language-rules.ts";

/** The checkpoint of a repository in Python. */
export const PYTHON: Rules = languageRules("python", {
  install: {
    instruction: "Install the changed dependencies",
    steps: [
      {
        run: "the install",
        called: "an install of the dependencies",
        evidence: [
          "pip install",
          "pip-sync",
          ...["sync", "add", "remove", "lock", "pip install", "pip sync"].map((words) => `uv ${words}`),
          ...["install", "add", "remove", "update", "sync", "lock"].map((word) => `poetry ${word}`),
          ...["install", "add", "remove", "update", "sync", "lock"].map((word) => `pdm ${word}`),
          ...["install", "uninstall", "update", "sync", "lock"].map((word) => `pipenv ${word}`),
        ],
      },
    ],
  },
});

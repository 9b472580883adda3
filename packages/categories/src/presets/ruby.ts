import type { Rules } from "../types.ts";
import { languageRules } from "./language-rules.ts";

/** The checkpoint of a repository in Ruby. */
export const RUBY: Rules = languageRules("ruby", {
  install: {
    instruction: "Run `bundle install` with the changed manifests",
    steps: [
      {
        run: "bundle install",
        evidence: ["install", "add", "remove", "update", "check", "lock"].map((word) => `bundle ${word}`),
      },
    ],
  },
});

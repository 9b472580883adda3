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
  tests: [
    "rspec",
    "parallel_rspec",
    "rails test",
    "rails test:all",
    "rails spec",
    "rake test",
    "rake spec",
    "ruby -Itest",
    "ruby -Ilib:test",
    "minitest",
    "cucumber",
  ],
});

import type { Rules } from "../types.ts";
import { languageRules } from "./language-rules.ts";

/** The checkpoint of a repository in Rust. */
export const RUST: Rules = languageRules("rust", {
  install: {
    instruction: "Run `cargo check` with the changed manifests",
    // Cargo brings the dependencies up to date whenever it builds.
    steps: [
      {
        run: "cargo check",
        evidence: [
          "check",
          "build",
          "test",
          "nextest",
          "clippy",
          "run",
          "bench",
          "add",
          "remove",
          "update",
          "fetch",
        ].map((word) => `cargo ${word}`),
      },
    ],
  },
});

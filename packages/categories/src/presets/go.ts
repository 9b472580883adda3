import type { Rules } from "../types.ts";
import { languageRules } from "./language-rules.ts";

/** The checkpoint of a repository in Go. */
export const GO: Rules = languageRules("go", {
  install: {
    instruction: "Run `go mod tidy` with the changed manifests",
    // A build fails where go.mod and go.sum do not fit the code.
    steps: [
      {
        run: "go mod tidy",
        evidence: ["mod tidy", "mod download", "mod verify", "get", "work sync", "build", "test", "vet", "run"].map(
          (words) => `go ${words}`,
        ),
      },
    ],
  },
});

import type { Rules } from "../types.ts";
import { languageRules } from "./language-rules.ts";

const MAVEN = ["mvn", "mvnw", "mvnd"];
const GRADLE = ["gradle", "gradlew"];

/** The checkpoint of a repository in Java or Kotlin. */
export const JAVA: Rules = languageRules("java", {
  install: {
    instruction: "Build with the changed manifests",
    steps: [
      {
        run: "the build",
        called: "a build",
        evidence: [
          ...MAVEN.flatMap((program) =>
            ["compile", "test-compile", "test", "package", "verify", "install"].map((phase) => `${program} ${phase}`),
          ),
          ...GRADLE.flatMap((program) =>
            ["assemble", "classes", "testClasses", "test", "check", "build"].map((task) => `${program} ${task}`),
          ),
        ],
      },
    ],
  },
  // `install` and `build` run tests as well, unless they are told to skip them: in doubt they prove nothing.
});

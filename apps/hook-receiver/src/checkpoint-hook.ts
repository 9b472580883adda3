import { isNodeTooOld, oldNodeAdvice } from "@agent-checkpoint/node-version";
import { reportAtStart } from "./report-at-start.ts";

// SQLite's binary crashes an older Node, so nothing else is loaded before the version is known.
if (isNodeTooOld(process.versions.node)) {
  reportAtStart(process.env, "node-too-old", oldNodeAdvice(process.versions.node));
} else {
  import("./run-program.ts")
    .then(({ runProgram }) => runProgram())
    .catch((error: unknown) => {
      reportAtStart(process.env, "could-not-start", String(error));
      process.exit(0);
    });
}

import { isNodeTooOld, oldNodeAdvice } from "@agent-checkpoint/node-version";
import { reportAtStart } from "./report-at-start.ts";
import { runProgram } from "./run-program.ts";

// What is loaded up to here runs on an older Node; SQLite and the rest, which do not, are loaded when they are needed.
if (isNodeTooOld(process.versions.node)) {
  reportAtStart(process.env, "node-too-old", oldNodeAdvice(process.versions.node));
} else {
  runProgram().catch((error: unknown) => {
    reportAtStart(process.env, "could-not-start", String(error));
    process.exit(0);
  });
}

import { isNodeTooOld, OLDEST_NODE } from "./node-version.ts";
import { reportAtStart } from "./report-at-start.ts";

// SQLite's binary crashes an older Node, so nothing else is loaded before the version is known.
if (isNodeTooOld(process.versions.node)) {
  const detail = `needs Node >=${OLDEST_NODE}, found ${process.versions.node}; register the hook with the path of a newer node`;
  reportAtStart(process.env, "node-too-old", detail);
} else {
  import("./run-program.ts")
    .then(({ runProgram }) => runProgram())
    .catch((error: unknown) => {
      reportAtStart(process.env, "could-not-start", String(error));
      process.exit(0);
    });
}

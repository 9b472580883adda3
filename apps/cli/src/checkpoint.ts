import { isNodeTooOld, oldNodeAdvice } from "@agent-checkpoint/files/node-version";

// SQLite's binary crashes an older Node, so nothing else is loaded before the version is known.
if (isNodeTooOld(process.versions.node)) {
  console.error(`checkpoint ${oldNodeAdvice(process.versions.node)}`);
  process.exitCode = 2;
} else {
  // `checkpoint … | head` closes the pipe early; every other error is a fault.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
  const [{ runProgram }, { environmentOf }] = await Promise.all([import("./program.ts"), import("./environment.ts")]);
  process.exitCode = await runProgram(process.argv.slice(2), environmentOf(process));
}

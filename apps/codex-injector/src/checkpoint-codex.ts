import { isNodeTooOld, oldNodeAdvice } from "@agent-checkpoint/files/node-version";

// SQLite's binary crashes an older Node, so nothing else is loaded before the version is known.
if (isNodeTooOld(process.versions.node)) {
  console.error(`checkpoint-codex ${oldNodeAdvice(process.versions.node)}`);
  process.exitCode = 2;
} else {
  const { runCommand } = await import("./run-command.ts");
  process.exitCode = await runCommand(process.argv.slice(2));
}

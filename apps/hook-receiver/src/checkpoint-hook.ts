#!/usr/bin/env node
import { join } from "node:path";
import { appendLine, checkpointHome } from "@agent-checkpoint/files";
import { isNodeTooOld } from "@agent-checkpoint/files/node-version";
import { useCodeCache } from "./code-cache.ts";
import { exit, readStdin, STDIN_WAIT } from "./read-stdin.ts";

// The program that agents start. What is loaded before the event is read also runs on an old Node.

void main().catch(giveUp);

async function main(): Promise<void> {
  const { env, versions } = process;
  if (isNodeTooOld(versions.node)) {
    const { reportOldNode } = await import("./run-program.ts");
    return reportOldNode();
  }
  // Another thread reads while this one loads.
  const stdin = readStdin(STDIN_WAIT);
  const saveCode = useCodeCache(checkpointHome(env));
  const { runProgram } = await import("./run-program.ts");
  return runProgram(stdin, saveCode);
}

/** Logs a plain line: what could not be loaded may be what redacts and rotates the log. */
function giveUp(error: unknown): void {
  try {
    const line = `${new Date().toISOString()} error could-not-start detail=${JSON.stringify(String(error))}\n`;
    appendLine(join(checkpointHome(process.env), "checkpoint.log"), line);
  } catch {
    // The stop passes anyway.
  }
  exit();
}

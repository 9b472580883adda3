import { join } from "node:path";
import { isNodeTooOld, oldNodeAdvice } from "@agent-checkpoint/files/node-version";
import { appendLine, checkpointHome } from "@agent-checkpoint/files";
import type * as HookProgram from "./hook-program.ts";
import { keptFolder } from "./kept/kept-folder.ts";
import { leave } from "./leave.ts";
import { createParts } from "./parts/create-parts.ts";
import { readStdin, type StdinReading } from "./read-stdin.ts";

const STDIN_WAIT = { firstMs: 20_000, nextMs: 1500 } as const;

const { env, versions } = process;
let reading: StdinReading | null = null;
try {
  start();
} catch (error) {
  giveUp(error);
}

function start(): void {
  const isOld = isNodeTooOld(versions.node);
  // Another thread reads while this one loads.
  if (!isOld) reading = readStdin(STDIN_WAIT);
  const home = checkpointHome(env);
  const parts = createParts({ folder: __dirname, codeFolder: isOld ? null : keptFolder(home), require });
  const { reportAtStart, runProgram } = parts.load("./checkpoint-hook-main.cjs") as typeof HookProgram;
  // What is loaded up to here runs on an older Node; SQLite and the rest, which do not, are loaded when they are needed.
  if (reading === null) return reportAtStart(env, "node-too-old", oldNodeAdvice(versions.node));
  void runProgram({ reading, keepCode: parts.keep }).catch(giveUp);
}

/** Where nothing can be loaded, nothing of ours can log: one plain line, and the agent is let go. */
function giveUp(error: unknown): void {
  try {
    const line = `${new Date().toISOString()} error could-not-start detail=${JSON.stringify(String(error))}\n`;
    appendLine(join(checkpointHome(env), "checkpoint.log"), line);
  } catch {
    // There is nobody left to tell.
  }
  leave(reading?.isOpen() === true);
}

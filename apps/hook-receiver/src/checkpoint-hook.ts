#!/usr/bin/env node
import { join } from "node:path";
import { appendLine, checkpointHome } from "@agent-checkpoint/files";
import { isNodeTooOld, oldNodeAdvice } from "@agent-checkpoint/files/node-version";
import { useCodeCache } from "./code-cache.ts";
import { exit, readStdin } from "./read-stdin.ts";

// The program that agents start. This file runs on any Node and loads the rest.

const STDIN_WAIT = { firstMs: 20_000, nextMs: 1500 } as const;

void main().catch((error: unknown) => giveUp("could-not-start", String(error)));

async function main(): Promise<void> {
  const { env, versions } = process;
  if (isNodeTooOld(versions.node)) return giveUp("node-too-old", oldNodeAdvice(versions.node));
  // Another thread reads while this one loads.
  const stdin = readStdin(STDIN_WAIT);
  const saveCode = useCodeCache(checkpointHome(env));
  const { runProgram } = await import("./run-program.ts");
  return runProgram(stdin, saveCode);
}

/** Logs a plain line: what could not be loaded may be what redacts and rotates the log. */
function giveUp(event: string, detail: string): void {
  try {
    const line = `${new Date().toISOString()} error ${event} detail=${JSON.stringify(detail)}\n`;
    appendLine(join(checkpointHome(process.env), "checkpoint.log"), line);
  } catch {
    // The stop passes all the same.
  }
  exit();
}

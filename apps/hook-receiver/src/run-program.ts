import { constants, writeSync } from "node:fs";
import { join } from "node:path";
import { checkpointHome } from "@agent-checkpoint/files";
import { oldNodeAdvice } from "@agent-checkpoint/files/node-version";
import { appendLog } from "@agent-checkpoint/store/log";
import type { SaveCode } from "./code-cache.ts";
import { failOpen } from "./fail-open.ts";
import { exit } from "./read-stdin.ts";
import { runHook } from "./run-hook.ts";

const WHOLE_CALL_MS = 30_000;

/** Every event that was recorded is a hundredth as long. */
const MAX_UNWATCHED_CHARACTERS = 1_000_000;

/** Handles the event on stdin: at most one JSON object on stdout, exit code 0 whatever happens. */
export async function runProgram(stdin: Promise<string>, saveCode: SaveCode): Promise<void> {
  const { argv, env } = process;
  const fail = (error: unknown) => {
    failOpen(env, error);
    exit();
  };
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  process.on("SIGTERM", exit);
  setTimeout(() => fail(new Error(`no answer within ${WHOLE_CALL_MS} ms`)), WHOLE_CALL_MS).unref();
  try {
    const text = await stdin;
    // A listener would wait for synchronous work to end; without one the signal ends the process at once.
    process.off("SIGTERM", exit);
    if (text.length > MAX_UNWATCHED_CHARACTERS) watchFromOutside(join(checkpointHome(env), "checkpoint.log"));
    const outcome = await runHook({ argv: argv.slice(2), env, stdin: text, answer: print, isLast: true });
    const { problem, isAnswered } = outcome;
    if (problem !== null) appendLog(checkpointHome(env), { level: "warn", event: "degraded", detail: problem });
    saveCode(isAnswered);
  } catch (error) {
    failOpen(env, error);
  }
  exit();
}

/**
 * Ends the process when its time is over, also in the middle of synchronous work, in which no timer fires.
 *
 * A thread takes 6 ms to start, so only an event of unusual length gets one: all else that a stop reads has a limit.
 */
function watchFromOutside(log: string): void {
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const script = `
    const fs = require("node:fs");
    setTimeout(() => {
      try {
        const line = new Date().toISOString() + " error failed-open detail=\\"no answer within ${WHOLE_CALL_MS} ms\\"\\n";
        fs.writeSync(fs.openSync(${JSON.stringify(log)}, ${flags}, 0o600), line);
      } finally {
        process.kill(process.pid, "SIGKILL");
      }
    }, ${WHOLE_CALL_MS});`;
  new Worker(script, { eval: true, env: {}, execArgv: [] }).unref();
}

/** Logs that Node is too old to handle any event. */
export function reportOldNode(): void {
  const { env, versions } = process;
  appendLog(checkpointHome(env), { level: "error", event: "node-too-old", detail: oldNodeAdvice(versions.node) });
  exit();
}

/** Writes all of a text to stdout, which may be a socket that takes it piece by piece. */
function print(text: string): void {
  let rest: Uint8Array = Buffer.from(text, "utf8");
  for (let attempt = 0; rest.length > 0 && attempt < 10_000; attempt += 1) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

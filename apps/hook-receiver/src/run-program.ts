import { writeSync } from "node:fs";
import { checkpointHome } from "@agent-checkpoint/files";
import { appendLog } from "@agent-checkpoint/store/files";
import { failOpen } from "./fail-open.ts";
import { leave } from "./leave.ts";
import type { StdinReading } from "./read-stdin.ts";
import { runHook } from "./run-hook.ts";

const WHOLE_CALL_MS = 30_000;

/** What the small program that agents start has begun already, and how it ends. */
export interface Started {
  readonly reading: StdinReading;
  /** Keeps what was loaded for a use of the program. */
  readonly keepCode: (use: string) => void;
}

/** The program around the hook: stdin in, at most one JSON object out, exit code 0 whatever happens. */
export async function runProgram({ reading, keepCode }: Started): Promise<void> {
  const { argv, env } = process;
  const end = (): never => leave(reading.isOpen());
  const fail = (error: unknown) => {
    failOpen(env, error);
    end();
  };
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  process.on("SIGTERM", end);
  setTimeout(() => fail(new Error(`no answer within ${WHOLE_CALL_MS} ms`)), WHOLE_CALL_MS).unref();
  try {
    const stdin = await reading.text;
    const { problem, use } = await runHook({ argv: argv.slice(2), env, stdin, answer: print, isLast: true });
    if (use !== null) keepCode(use);
    if (problem !== null) appendLog(checkpointHome(env), { level: "warn", event: "degraded", detail: problem });
  } catch (error) {
    failOpen(env, error);
  }
  end();
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

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import type { RecordedRequest } from "./fake-models/start-fake-model.ts";
import type { CommandResult, LiveDirections, StageAnswer } from "./live-stage.ts";
import { namespaceCommand, stageFolderOf, SYSTEM_PATH } from "./namespace-command.ts";
import type { Sandbox } from "./sandbox.ts";

/** Namespaces with a fake model in them, in which one command after the other can be run. */
export interface OpenStage {
  /** Runs a command to its end; one that the stage's end cuts off has the exit code -1. */
  readonly run: (command: readonly string[]) => Promise<CommandResult>;
  /** Every request that has reached the model so far. */
  readonly modelRequests: () => Promise<readonly RecordedRequest[]>;
  /** Ends everything that runs there. */
  readonly close: () => Promise<void>;
}

const STAGE = fileURLToPath(new URL("run-live-stage.ts", import.meta.url));

/** Opens a stage in a sandbox; it closes by itself at the time limit, or when this process ends. */
export async function openStage(
  sandbox: Sandbox,
  { timeLimitMs, ...directions }: LiveDirections & { readonly timeLimitMs: number },
): Promise<OpenStage> {
  const stageFolder = stageFolderOf(sandbox);
  await mkdir(stageFolder, { recursive: true });
  await writeFile(join(stageFolder, "directions.json"), JSON.stringify(directions));
  const [unshare, ...args] = namespaceCommand(sandbox, STAGE);
  const stage = execa(unshare, args, {
    env: { PATH: SYSTEM_PATH },
    extendEnv: false,
    reject: false,
    buffer: { stdout: false },
    timeout: timeLimitMs,
    killSignal: "SIGKILL",
  });
  const waiting = new Map<number, (answer: StageAnswer) => void>();
  createInterface({ input: stage.stdout }).on("line", (line) => {
    const answer = JSON.parse(line) as StageAnswer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  /** The answer to requests after the stage has ended. */
  const ended = stage.then(({ exitCode, signal, stderr, timedOut }) => {
    const how = timedOut ? `out of time after ${timeLimitMs} ms` : `exit ${exitCode ?? signal}`;
    return { exitCode: -1, stdout: "", stderr: `The stage is closed (${how}).\n${stderr}` };
  });
  let asked = 0;
  const ask = (question: object): Promise<StageAnswer | CommandResult> => {
    const id = ++asked;
    const answer = new Promise<StageAnswer>((resolve) => waiting.set(id, resolve));
    if (stage.stdin.writable) stage.stdin.write(`${JSON.stringify({ id, ...question })}\n`);
    return Promise.race([answer, ended]);
  };

  return {
    run: async (command) => {
      const answer = await ask({ ask: "run", command });
      if ("exitCode" in answer) return answer;
      throw new Error("The stage answered another question");
    },
    modelRequests: async () => {
      const answer = await ask({ ask: "model-requests" });
      return "modelRequests" in answer ? answer.modelRequests : [];
    },
    close: async () => {
      stage.stdin.end();
      await stage;
    },
  };
}

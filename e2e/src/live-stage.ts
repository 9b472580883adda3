import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { AgentName } from "./cli-versions.ts";
import { FAKE_MODELS } from "./fake-models/fake-models.ts";
import type { ModelScript } from "./fake-models/model-script.ts";
import { startFakeModel, type RecordedRequest } from "./fake-models/start-fake-model.ts";
import { MODEL_PORT, stageEnv } from "./stage.ts";

/** What a stage is opened with. */
export interface LiveDirections {
  readonly agent: AgentName;
  readonly script: ModelScript;
  readonly env: Readonly<Record<string, string>>;
}

/** A command to run on the stage, or the wish to hear what the model was asked. */
export type StageQuestion =
  | { readonly id: number; readonly ask: "run"; readonly command: readonly string[] }
  | { readonly id: number; readonly ask: "model-requests" };

/** How a command ended, or what the model was asked. */
export type StageAnswer = { readonly id: number } & (
  | CommandResult
  | { readonly modelRequests: readonly RecordedRequest[] }
);

/** How a command ended; one that could not be started has the exit code -1. */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the model whose directions lie in a folder and answers the questions that come in, until there are no more. */
export async function hold(folder: string): Promise<void> {
  const { agent, script, env } = JSON.parse(readFileSync(join(folder, "directions.json"), "utf8")) as LiveDirections;
  const model = await startFakeModel(FAKE_MODELS[agent], script, MODEL_PORT);
  for await (const line of createInterface({ input: process.stdin })) void answer(JSON.parse(line) as StageQuestion);

  async function answer(question: StageQuestion): Promise<void> {
    const found = question.ask === "run" ? await run(question.command) : { modelRequests: model.requests };
    process.stdout.write(`${JSON.stringify({ id: question.id, ...found } satisfies StageAnswer)}\n`);
  }

  function run([program = "", ...args]: readonly string[]): Promise<CommandResult> {
    const child = spawn(program, args, { env: stageEnv(env), stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
    return new Promise((resolve) => {
      child.once("error", ({ message }) => resolve({ exitCode: -1, stdout: "", stderr: message }));
      child.once("close", (exitCode) => resolve({ exitCode: exitCode ?? -1, ...output }));
    });
  }
}

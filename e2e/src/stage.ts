import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FAKE_MODELS } from "./fake-models/fake-models.ts";
import type { ModelScript } from "./fake-models/model-script.ts";
import { startFakeModel, type RecordedRequest } from "./fake-models/start-fake-model.ts";
import type { AgentName } from "./cli-versions.ts";
import { driveScreen, type ScreenOutcome, type ScreenStep } from "./drive-screen.ts";

/** What happens inside the namespace. */
export interface StageDirections {
  readonly agent: AgentName;
  readonly script: ModelScript;
  readonly command: readonly string[];
  /** A command that runs headless beside the other, once that one has reached the model. */
  readonly commandBeside?: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Where given, the CLI runs on a terminal screen and these steps are done there; otherwise it runs headless. */
  readonly screenSteps?: readonly ScreenStep[] | undefined;
  readonly timeLimitMs: number;
}

/** What happened inside the namespace. */
export interface Performance extends ScreenOutcome {
  /** Null for a CLI that was ended at the time limit or ran on a screen. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly modelRequests: readonly RecordedRequest[];
}

/** The port of every fake model; a namespace has only one. */
export const MODEL_PORT = 4010;

/** Plays a run whose directions lie in a folder, and leaves the report there. */
export async function perform(folder: string): Promise<void> {
  const directions = JSON.parse(readFileSync(join(folder, "directions.json"), "utf8")) as StageDirections;
  const env = stageEnv(directions.env);
  const model = await startFakeModel(FAKE_MODELS[directions.agent], directions.script, MODEL_PORT);
  const { command, commandBeside, timeLimitMs, screenSteps } = directions;
  const first = screenSteps
    ? driveScreen({ command, env, steps: screenSteps, timeLimitMs })
    : runHeadless(command, env, timeLimitMs);
  // Two that set up the same home at once may stumble over each other.
  const beside =
    commandBeside && Promise.race([first, model.firstRequest]).then(() => runHeadless(commandBeside, env, timeLimitMs));
  const second = await beside;
  const outcome = { ...NOTHING, ...(await first), ...(second && second.exitCode !== 0 && second) };
  const report: Performance = { ...outcome, modelRequests: model.requests };
  writeFileSync(join(folder, "performance.json"), JSON.stringify(report));
}

/**
 * The whole environment of what runs on a stage: the machine's programs, the sandbox's home, and what a run adds. Programs in
 * `bin` of that home come first.
 */
export function stageEnv(more: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const path = [join(BASE_ENV.HOME, "bin"), dirname(process.execPath), process.env["PATH"]].join(":");
  return { PATH: path, ...BASE_ENV, ...more };
}

const BASE_ENV = { HOME: process.env["HOME"] ?? "/", TMPDIR: "/tmp", LANG: "C.UTF-8", TERM: "xterm-256color" };

const NOTHING = { exitCode: null, stdout: "", stderr: "", screen: "", screenTrouble: null };

async function runHeadless(
  [program = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  timeLimitMs: number,
): Promise<Pick<Performance, "exitCode" | "stdout" | "stderr">> {
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const limit = setTimeout(() => child.pid && process.kill(-child.pid, "SIGKILL"), timeLimitMs);
  const isClosed = new Promise((resolve) => child.once("close", resolve));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("exit", resolve);
  });
  clearTimeout(limit);
  // What the CLI left running may hold its output open forever.
  await Promise.race([isClosed, sleep(500)]);
  return { exitCode, ...output };
}

import { spawn } from "node:child_process";
import { join } from "node:path";
import type { SaveRequest } from "@agent-checkpoint/autosave";
import { IS_BINARY } from "@agent-checkpoint/files/node-version";
import type { AnswerExtras } from "@agent-checkpoint/agents/wire";

/** What the program that saves answered. */
export interface WorkerAnswer {
  readonly outcome: string;
  readonly message: string | null;
  readonly extras: AnswerExtras;
}

/** What the program that saves is asked for. */
export type WorkerJob =
  | { readonly kind: "save"; readonly request: SaveRequest }
  | { readonly kind: "recover"; readonly projectPath: string };

/** The argument that makes the binary the program that saves. */
export const SAVE_WORD = "--save";

const PROGRAM: readonly string[] = [IS_BINARY ? SAVE_WORD : join(__dirname, "checkpoint-save.cjs")];

/** The argument that has it settle outcomes instead, as of the time that follows. */
export const SETTLE_WORD = "--settle";

/** The argument that has it take a snapshot, as the JSON that follows asks. */
export const SNAPSHOT_WORD = "--snapshot";

/** A snapshot of a work tree as a stop left it. */
export interface StopSnapshot {
  readonly root: string;
  readonly userHome: string;
  readonly reason: string;
  readonly keepDays: number;
  /** When the stop was, which links the two. */
  readonly at: string;
}

/** Starts the program that records what became of earlier blocks. */
export function startSettling(now: Date, env: NodeJS.ProcessEnv): void {
  startAlone([SETTLE_WORD, now.toISOString()], env);
}

/** Starts the program that takes a snapshot beside a stop. */
export function startSnapshot(snapshot: StopSnapshot, env: NodeJS.ProcessEnv): void {
  startAlone([SNAPSHOT_WORD, JSON.stringify(snapshot)], env);
}

/** Starts the program; nothing is waited for, and nothing is answered. */
function startAlone(words: readonly string[], env: NodeJS.ProcessEnv): void {
  const child = spawn(process.execPath, [...PROGRAM, ...words], {
    env,
    stdio: "ignore",
    detached: true,
    windowsHide: true,
  });
  child.on("error", () => undefined);
  child.unref();
}

/** Less than a hook may take, and more than a save does. */
const BUDGET_MS = 19_000;
const WAIT_MS = 23_000;
const RECOVERY_WAIT_MS = 4000;

/**
 * Saves work in a process of its own: it holds none of our descriptors, goes on where the agent ends us, and pushes after
 * it has answered. One that dies without an answer is cleaned up after.
 */
export async function runSaveWorker(
  request: Omit<SaveRequest, "budgetMs">,
  env: NodeJS.ProcessEnv,
): Promise<WorkerAnswer> {
  const answer = await askWorker({ kind: "save", request: { ...request, budgetMs: BUDGET_MS } }, env, WAIT_MS);
  if (answer !== null) return answer;
  await askWorker({ kind: "recover", projectPath: request.projectPath }, env, RECOVERY_WAIT_MS);
  return UNANSWERED;
}

const UNANSWERED: WorkerAnswer = {
  outcome: "failed:unexpected",
  message:
    "Your work could not be saved: the program that saves it ended without an answer. Run `checkpoint save` yourself, or commit your own files.",
  extras: {
    systemMessage: "agent-checkpoint: the work was not saved; checkpoint.log tells more.",
    execution: {
      enabled: true,
      skill: "checkpoint",
      executed_directly: false,
      router_decision: { outcome: "failed:unexpected" },
    },
  },
};

/** The first line that the program prints; null where it ends or the time passes before. */
function askWorker(job: WorkerJob, env: NodeJS.ProcessEnv, waitMs: number): Promise<WorkerAnswer | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, PROGRAM, {
      env,
      stdio: ["pipe", "pipe", "ignore"],
      detached: true,
      windowsHide: true,
    });
    let text = "";
    const finish = (answer: WorkerAnswer | null) => {
      clearTimeout(timer);
      child.stdout.destroy();
      child.unref();
      resolve(answer);
    };
    const timer = setTimeout(() => finish(null), waitMs);
    child.on("error", () => finish(null));
    child.on("close", () => finish(parseAnswer(text)));
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.includes("\n")) finish(parseAnswer(text));
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify(job));
  });
}

function parseAnswer(text: string): WorkerAnswer | null {
  try {
    return JSON.parse(text) as WorkerAnswer;
  } catch {
    return null;
  }
}

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Starts the commands, gives them the word at the same moment and waits for all. */
export async function runTogether(commands: readonly (readonly string[])[]): Promise<unknown[]> {
  const children = commands.map(startChild);
  const outcomes = Promise.all(children.map(({ outcome }) => outcome));
  await Promise.all(children.map(({ isReady }) => isReady));
  for (const { begin } of children) begin();
  return outcomes;
}

/** A child process that waits for the word to begin. */
interface Child {
  readonly isReady: Promise<unknown>;
  readonly begin: () => void;
  /** What it printed; null if it was killed before. */
  readonly outcome: Promise<unknown>;
}

/** Starts a command that prints a line when it is ready, and one of JSON when it is done. */
function startChild([command = "", ...args]: readonly string[]): Child {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  const lines: string[] = [];
  const errors: string[] = [];
  child.stdin.on("error", () => {});
  child.stderr.on("data", (text) => errors.push(String(text)));
  const isReady = new Promise((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => resolve(lines.push(line)));
    child.on("error", reject);
    child.on("close", () => reject(new Error(errors.join(""))));
  });
  const outcome = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0 && lines[1] !== undefined) resolve(JSON.parse(lines[1]));
      else if (signal === "SIGKILL") resolve(null);
      else reject(new Error(`exit code ${code}: ${errors.join("")}`));
    });
  });
  return { isReady, begin: () => child.stdin.end("go\n"), outcome };
}

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Starts commands that wait for a signal, sends it to all at once, and returns what each printed as JSON; null for one that was killed. */
export async function runTogether(commands: readonly (readonly string[])[]): Promise<unknown[]> {
  const children = commands.map((command) => startChild(command));
  await Promise.all(children.map(({ isReady }) => isReady));
  for (const { begin } of children) begin();
  return Promise.all(children.map(({ outcome }) => outcome));
}

/** A child process that has been started. */
export interface Child {
  /** Settles when it has said that it is ready. */
  readonly isReady: Promise<unknown>;
  readonly begin: () => void;
  readonly kill: () => void;
  /** What it printed after that, as JSON; null if it was killed. */
  readonly outcome: Promise<unknown>;
}

/** Starts a command that prints a line when it is ready, and one of JSON when it is done. */
export function startChild([command = "", ...args]: readonly string[]): Child {
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
      if (signal === "SIGKILL") resolve(null);
      else if (code === 0 && lines[1] !== undefined) resolve(JSON.parse(lines[1]));
      else reject(new Error(`exit code ${code}: ${errors.join("")}`));
    });
  });
  return { isReady, begin: () => child.stdin.end("go\n"), kill: () => child.kill("SIGKILL"), outcome };
}

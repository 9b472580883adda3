import { spawnSync } from "node:child_process";

/** What a git command said: its exit code, null where it did not run or did not end in time, and its output. */
export interface GitAnswer {
  readonly exitCode: number | null;
  readonly output: string;
}

const TIMEOUT_MS = 5000;

/** Asks git about a work tree: no lock is taken, nothing is asked of the user, no variable of a surrounding git counts. */
export function runGit(root: string, args: readonly string[]): GitAnswer {
  const { status, stdout } = spawnSync("git", ["-c", "core.fsmonitor=false", ...args], {
    cwd: root,
    env: gitEnvironment(process.env),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
    windowsHide: true,
  });
  return { exitCode: status, output: (stdout ?? "").trim() };
}

function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}

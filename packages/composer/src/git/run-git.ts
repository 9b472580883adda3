import { spawn } from "node:child_process";

/** What a git command came to. */
export type GitResult =
  | { readonly status: "ok"; readonly stdout: string }
  | { readonly status: "failed"; readonly reason: GitFailure; readonly detail: string };

/** Why git gave no answer. */
export type GitFailure = "no-git" | "timeout" | "git-error";

const MAX_OUTPUT = 64 * 1024 * 1024;

/** Runs git in a folder, for reading only: no lock is taken, no file-watching daemon is started, no variable of a surrounding git counts. */
export function runGit(args: readonly string[], cwd: string, timeoutMs: number): Promise<GitResult> {
  return new Promise((resolve) => {
    const child = spawn("git", ["-c", "core.fsmonitor=false", "-c", "core.quotepath=false", ...args], {
      cwd,
      env: gitEnvironment(process.env),
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    const out: Buffer[] = [];
    let size = 0;
    let errors = "";
    let failure: GitFailure | null = null;
    const end = (why: GitFailure) => {
      failure ??= why;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => end("timeout"), timeoutMs);
    child.stdout.on("data", (chunk: Buffer) => {
      out.push(chunk);
      size += chunk.length;
      if (size > MAX_OUTPUT) end("git-error");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (errors.length < 1000) errors += chunk.toString("utf8");
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve({ status: "failed", reason: error.code === "ENOENT" ? "no-git" : "git-error", detail: error.message });
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (failure === null && code === 0) return resolve({ status: "ok", stdout: Buffer.concat(out).toString("utf8") });
      const detail =
        failure === "timeout" ? `no answer in ${timeoutMs} ms` : errors.trim() || `ended with ${signal ?? code}`;
      return resolve({ status: "failed", reason: failure ?? "git-error", detail });
    });
  });
}

function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}

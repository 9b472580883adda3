/** What a git command came to. */
export type GitResult =
  | { readonly status: "ok"; readonly stdout: string }
  | { readonly status: "failed"; readonly reason: GitFailure; readonly detail: string };

/** Why git gave no answer. */
export type GitFailure = "no-git" | "timeout" | "git-error";

const MAX_OUTPUT_MB = 64;
const TOO_MUCH = `more than ${MAX_OUTPUT_MB} MB of output`;

/** Runs git in a folder, for reading only: no lock is taken, no file-watching daemon is started, no variable of a surrounding git counts. */
export function runGit(args: readonly string[], cwd: string, timeoutMs: number): Promise<GitResult> {
  // Taking the module with this one would cost every program that may not need git three milliseconds.
  const { spawn } = process.getBuiltinModule("node:child_process");
  return new Promise((resolve) => {
    const child = spawn("git", [...QUIETLY, ...args], settings(cwd));
    const out: Buffer[] = [];
    let size = 0;
    let errors = "";
    const settle = (result: GitResult) => {
      clearTimeout(timer);
      resolve(result);
    };
    // A child of git's own may keep the pipes open after git is gone, so their end is not waited for.
    const giveUp = (reason: GitFailure, detail: string) => {
      child.kill("SIGKILL");
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      settle({ status: "failed", reason, detail });
    };
    const timer = setTimeout(() => giveUp("timeout", `no answer in ${timeoutMs} ms`), timeoutMs);
    const count = (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT_MB * 1024 * 1024) giveUp("git-error", TOO_MUCH);
    };
    child.stdout.on("data", (chunk: Buffer) => {
      out.push(chunk);
      count(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (errors.length < 1000) errors += chunk.toString("utf8");
      count(chunk);
    });
    child.on("error", (error) => settle(failureOf(error, timeoutMs)));
    child.on("close", (code, signal) =>
      settle(
        code === 0
          ? { status: "ok", stdout: Buffer.concat(out).toString("utf8") }
          : { status: "failed", reason: "git-error", detail: errors.trim() || `ended with ${signal ?? code}` },
      ),
    );
  });
}

/** The same for a caller that has nothing else to do meanwhile: without streams and events it takes half the time. */
export function runGitSync(args: readonly string[], cwd: string, timeoutMs: number): GitResult {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { error, status, signal, stdout, stderr } = spawnSync("git", [...QUIETLY, ...args], {
    ...settings(cwd),
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: MAX_OUTPUT_MB * 1024 * 1024,
  });
  if (error !== undefined) return failureOf(error, timeoutMs);
  if (status === 0) return { status: "ok", stdout: stdout.toString("utf8") };
  const detail = stderr.toString("utf8", 0, 1000).trim() || `ended with ${signal ?? status}`;
  return { status: "failed", reason: "git-error", detail };
}

function failureOf(error: NodeJS.ErrnoException, timeoutMs: number): GitResult {
  if (error.code === "ETIMEDOUT")
    return { status: "failed", reason: "timeout", detail: `no answer in ${timeoutMs} ms` };
  if (error.code === "ENOBUFS") return { status: "failed", reason: "git-error", detail: TOO_MUCH };
  return { status: "failed", reason: error.code === "ENOENT" ? "no-git" : "git-error", detail: error.message };
}

/** No daemon that watches files, and names as they are. */
const QUIETLY = ["-c", "core.fsmonitor=false", "-c", "core.quotepath=false"] as const;

function settings(cwd: string): { cwd: string; env: NodeJS.ProcessEnv; stdio: PipedOutput; windowsHide: true } {
  return { cwd, env: gitEnvironment(process.env), stdio: ["ignore", "pipe", "pipe"], windowsHide: true };
}

type PipedOutput = ["ignore", "pipe", "pipe"];

function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}

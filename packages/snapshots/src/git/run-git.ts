import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Writable } from "node:stream";

/** What a git command came to; its output is bytes, because names are. */
export type GitResult =
  | { readonly status: "ok"; readonly stdout: Buffer }
  | { readonly status: "failed"; readonly reason: "no-git" | "timeout" | "git-error"; readonly detail: string };

export interface GitOptions {
  readonly cwd: string;
  readonly input?: Iterable<Buffer | string>;
  /** Variables of git itself that this command needs. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Whether the exit code 1 is an answer: that nothing was found. */
  readonly isNothingOk?: boolean;
  /** Whether names are taken literally, as all but one command know how to. */
  readonly isLiteral?: boolean;
}

/**
 * Runs git without anything of its surroundings: no `GIT_*` variable, no hook, no file-watching daemon, no prompt, no
 * automatic clean-up, no lock that is not needed; file names are taken literally.
 */
export function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { cwd, input, env = {}, timeoutMs = 60_000, isNothingOk = false, isLiteral = true } = options;
  return new Promise((resolve) => {
    const child = spawn("git", [...(isLiteral ? ["--literal-pathspecs"] : []), ...SETTINGS, ...args], {
      cwd,
      env: { ...cleanEnvironment(process.env), ...env },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    const out: Buffer[] = [];
    let errors = "";
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, timeoutMs);
    child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => {
      if (errors.length < 1000) errors += chunk.toString("utf8");
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve({ status: "failed", reason: error.code === "ENOENT" ? "no-git" : "git-error", detail: error.message });
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0 || (code === 1 && isNothingOk))
        return resolve({ status: "ok", stdout: out.length === 1 && out[0] ? out[0] : Buffer.concat(out) });
      const detail = isLate ? `no answer in ${timeoutMs} ms` : errors.trim() || `ended with ${signal ?? code}`;
      return resolve({ status: "failed", reason: isLate ? "timeout" : "git-error", detail });
    });
    // A git that ends early closes the pipe; its exit code says why.
    child.stdin?.on("error", () => undefined);
    feed(child.stdin, input ?? []).catch((error: unknown) => {
      errors = error instanceof Error ? error.message : String(error);
      child.kill("SIGKILL");
    });
  });
}

/** Writes as fast as git reads, so that a large input is never held in memory. */
async function feed(stdin: Writable | null, input: Iterable<Buffer | string>): Promise<void> {
  if (stdin === null) return;
  for (const part of input) {
    if (stdin.destroyed) return;
    if (!stdin.write(part)) await Promise.race([once(stdin, "drain"), once(stdin, "close")]).catch(() => undefined);
  }
  stdin.end();
}

const SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  // That a file has not changed is concluded from all that the disk says of it.
  "core.checkStat=default",
  "core.trustctime=true",
  "core.ignoreStat=false",
  "core.quotePath=false",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}

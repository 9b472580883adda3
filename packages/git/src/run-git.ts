import type { ChildProcess, ChildProcessWithoutNullStreams } from "node:child_process";
import type { Writable } from "node:stream";
import { errorCode } from "@agent-checkpoint/files";

/** What git answered, or why there is no answer. */
export type GitResult =
  | { readonly ok: true; readonly stdout: Buffer }
  | { readonly ok: false; readonly reason: GitFailure; readonly detail: string; readonly exitCode: number | null };

/** Why git gave no answer. */
export type GitFailure = "no-git" | "timeout" | "git-error";

export interface GitOptions {
  readonly cwd: string;
  /** How long git may take; 10 seconds by default. */
  readonly timeoutMs?: number | undefined;
  /** How much git may answer; 64 MB by default. */
  readonly maxBytes?: number | undefined;
  /** Variables of git that this command needs. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Settings of git that this command needs, as `name=value`. */
  readonly settings?: readonly string[] | undefined;
  /** Whether paths among the arguments are patterns; by default they are names. */
  readonly hasPatterns?: boolean | undefined;
}

export interface GitRunOptions extends GitOptions {
  readonly input?: string | Buffer | Iterable<Buffer | string> | undefined;
  /**
   * Whether git runs as the user runs it: with their identity, configuration, SSH and hooks. It gets a process group of its
   * own, so that its hooks end with it, and is first asked to end, so that it takes its locks away.
   */
  readonly asUser?: boolean | undefined;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_LENGTH = 4000;
/** How long git has to take its locks away after it was asked to end. */
const GRACE_MS = 2000;
/** How long the output is waited for after git has ended: a process that a hook has left behind may keep the pipes open. */
const LINGER_MS = 300;

/**
 * Runs git in a folder. No variable of a surrounding git counts, no daemon is started, no lock is taken that is not needed,
 * nobody is prompted, and file names are not patterns. Unless `asUser` is set, no hook runs.
 */
export function runGit(args: readonly string[], options: GitRunOptions): Promise<GitResult> {
  // Loaded here, since programs without a repository do not need it.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, input, asUser = false } = options;
  return new Promise((resolve) => {
    const child = spawn("git", argumentsOf(args, options), {
      ...processSettings(options),
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      detached: asUser && process.platform !== "win32",
    });
    const out: Buffer[] = [];
    let size = 0;
    let errors = "";
    let failure: GitResult | null = null;
    let isSettled = false;
    const settle = (result: GitResult) => {
      isSettled = true;
      clearTimeout(timer);
      // A child of git's own may keep the pipes open, so their end is not waited for.
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      resolve(result);
    };
    const giveUp = (reason: GitFailure, detail: string) => {
      if (failure !== null) return;
      failure = { ok: false, reason, detail, exitCode: null };
      end(child, asUser, asUser ? "SIGTERM" : "SIGKILL");
      if (!asUser) return settle(failure);
      clearTimeout(timer);
      timer = setTimeout(() => finish(null, null), GRACE_MS);
    };
    const finish = (code: number | null, signal: NodeJS.Signals | null) => {
      if (isSettled) return;
      // What a hook has left running is ended if it was too slow, and is no concern of ours otherwise.
      if (failure !== null) {
        end(child, asUser, "SIGKILL");
        return settle(failure);
      }
      const stdout = out.length === 1 && out[0] ? out[0] : Buffer.concat(out);
      // A hook or a remote explains in its output why it refuses; when git only reads, truncated output is useless.
      const said = asUser ? `${errors.trim()}\n${stdout.toString("utf8", 0, MAX_ERROR_LENGTH)}` : errors;
      settle(resultOf(code, signal, stdout, said));
    };
    let timer = setTimeout(() => giveUp("timeout", lateness(timeoutMs)), timeoutMs);
    const count = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) giveUp("git-error", abundance(maxBytes));
    };
    child.stdout?.on("data", (chunk: Buffer) => {
      if (failure === null) out.push(chunk);
      count(chunk);
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      if (errors.length < MAX_ERROR_LENGTH) errors += chunk.toString("utf8");
      count(chunk);
    });
    child.on("error", (error) => settle(failureOf(error, options)));
    child.on("close", finish);
    // One more turn of the event loop first: on a busy machine the last output may still be unread.
    if (asUser)
      child.on("exit", (code, signal) => setTimeout(() => setImmediate(finish, code, signal), LINGER_MS).unref());
    feed(child.stdin, input).catch((error: unknown) => giveUp("git-error", String(error)));
  });
}

/** Starts a git that is talked to while it runs; `asUser` does not apply to it. */
export function spawnGit(
  args: readonly string[],
  options: Omit<GitOptions, "timeoutMs" | "maxBytes">,
): ChildProcessWithoutNullStreams {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn("git", argumentsOf(args, options), { ...processSettings(options), stdio: "pipe" });
  child.stdin.on("error", () => undefined);
  return child;
}

/** Runs git with the user's identity, configuration, SSH and hooks. */
export function runGitAsUser(args: readonly string[], options: Omit<GitRunOptions, "asUser">): Promise<GitResult> {
  return runGit(args, { ...options, asUser: true });
}

/** The same, synchronously: without streams and events it takes half the time. */
export function runGitSync(args: readonly string[], options: GitOptions): GitResult {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  const { error, status, signal, stdout, stderr } = spawnSync("git", argumentsOf(args, options), {
    ...processSettings(options),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: maxBytes,
  });
  if (error !== undefined) return failureOf(error, options);
  return resultOf(status, signal, stdout, stderr.toString("utf8"));
}

function resultOf(code: number | null, signal: NodeJS.Signals | null, stdout: Buffer, said: string): GitResult {
  if (code === 0) return { ok: true, stdout };
  const detail = said.trim().slice(0, MAX_ERROR_LENGTH) || `ended with ${signal ?? code}`;
  return { ok: false, reason: "git-error", detail, exitCode: code };
}

function failureOf(error: Error, { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES }: GitOptions): GitResult {
  const code = errorCode(error);
  if (code === "ETIMEDOUT") return { ok: false, reason: "timeout", detail: lateness(timeoutMs), exitCode: null };
  const detail = code === "ENOBUFS" ? abundance(maxBytes) : error.message;
  return { ok: false, reason: code === "ENOENT" ? "no-git" : "git-error", detail, exitCode: null };
}

function lateness(timeoutMs: number): string {
  return `no answer in ${timeoutMs} ms`;
}

function abundance(maxBytes: number): string {
  return `more than ${Math.round(maxBytes / 1024 / 1024)} MB of output`;
}

function end(child: ChildProcess, isGroup: boolean, signal: NodeJS.Signals): void {
  try {
    if (isGroup && child.pid !== undefined && process.platform !== "win32") process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has ended in the meantime.
  }
}

/** Writes as fast as git reads, so that a large input is never held in memory; a git that ends early closes the pipe. */
async function feed(stdin: Writable | null, input: GitRunOptions["input"]): Promise<void> {
  if (stdin === null || input === undefined) return;
  stdin.on("error", () => undefined);
  for (const chunk of typeof input === "string" || Buffer.isBuffer(input) ? [input] : input) {
    if (stdin.destroyed) return;
    if (!stdin.write(chunk))
      await new Promise<void>((resolve) => {
        stdin.once("drain", resolve).once("close", resolve);
      });
  }
  stdin.end();
}

/** `check-ignore` takes file names literally by itself, and does not know the switch. */
function argumentsOf(
  args: readonly string[],
  { settings = [], hasPatterns = args[0] === "check-ignore", asUser = false }: GitRunOptions,
): readonly string[] {
  const all = [...SETTINGS, ...(asUser ? [] : [NO_HOOKS]), ...settings];
  return [...(hasPatterns ? [] : ["--literal-pathspecs"]), ...all.flatMap((setting) => ["-c", setting]), ...args];
}

const NO_HOOKS = "core.hooksPath=/dev/null";
/** Unquoted names, no file system monitor, no clean-up. */
const SETTINGS = [
  "core.quotePath=false",
  "core.fsmonitor=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "advice.addEmptyPathspec=false",
];

function processSettings({ cwd, env = {}, asUser = false }: GitRunOptions): {
  cwd: string;
  env: NodeJS.ProcessEnv;
  windowsHide: true;
} {
  return { cwd, env: { ...gitEnvironment(process.env, asUser), ...env }, windowsHide: true };
}

/** The variables of git that belong to the user's set-up, not to a surrounding repository. */
const OF_USER =
  /^GIT_(?:AUTHOR_|COMMITTER_|CONFIG_GLOBAL$|CONFIG_SYSTEM$|CONFIG_NOSYSTEM$|SSH$|SSH_VARIANT$|EXEC_PATH$|SSL_)/;

function gitEnvironment(env: NodeJS.ProcessEnv, asUser: boolean): NodeJS.ProcessEnv {
  const allowed = Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || (asUser && OF_USER.test(name)));
  const ssh = env["GIT_SSH_COMMAND"] ?? (env["GIT_SSH"] === undefined ? "ssh" : null);
  return {
    ...Object.fromEntries(allowed),
    ...NO_PROMPT,
    ...(asUser && ssh !== null && { GIT_SSH_COMMAND: `${ssh} -oBatchMode=yes -oConnectTimeout=10` }),
    GIT_OPTIONAL_LOCKS: "0",
    LC_ALL: "C",
  };
}

/** Every way in which git or its helpers would prompt a person. */
const NO_PROMPT = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_ASKPASS: "false",
  SSH_ASKPASS: "false",
  SSH_ASKPASS_REQUIRE: "never",
  GCM_INTERACTIVE: "never",
  GCM_GUI_PROMPT: "false",
} as const;

/** The names in an output, each ended by NUL. */
export function namesIn(output: Buffer): readonly string[] {
  return output
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "");
}

import { spawn } from "node:child_process";

/** What a git command came to. */
export interface GitResult {
  /** Null where it could not be started or was ended. */
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  /** The first of what it said. */
  readonly stderr: string;
  readonly isLate: boolean;
}

export interface GitOptions {
  readonly cwd: string;
  readonly timeoutMs?: number | undefined;
  readonly input?: Buffer | string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

const READ_TIMEOUT_MS = 10_000;
const GRACE_MS = 2000;
const MOST_STDERR = 4000;

/**
 * Runs git in a process group of its own, so that its hooks end with it: first asked to, which makes git take its locks
 * away, then by force. Nothing can prompt: stdin is closed, and every way to ask a person is shut.
 */
export function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { cwd, timeoutMs = READ_TIMEOUT_MS, input, env = {} } = options;
  return new Promise((resolve) => {
    const child = spawn("git", [...(args[0] === "check-ignore" ? [] : LITERAL), ...SETTINGS, ...args], {
      cwd,
      env: { ...gitEnvironment(process.env), ...env },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    const out: Buffer[] = [];
    let stderr = "";
    let isLate = false;
    let isDone = false;
    const signal = (name: NodeJS.Signals) => {
      try {
        if (child.pid !== undefined) process.kill(process.platform === "win32" ? child.pid : -child.pid, name);
      } catch {
        // It has ended in the meantime.
      }
    };
    const timers = [
      setTimeout(() => {
        isLate = true;
        signal("SIGTERM");
      }, timeoutMs),
      setTimeout(() => signal("SIGKILL"), timeoutMs + GRACE_MS),
    ];
    const finish = (exitCode: number | null) => {
      if (isDone) return;
      isDone = true;
      for (const timer of timers) clearTimeout(timer);
      // What a hook of git's left running is ended where it was too slow, and otherwise no concern of ours.
      if (isLate) signal("SIGKILL");
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve({ exitCode: isLate ? null : exitCode, stdout: Buffer.concat(out), stderr: stderr.trim(), isLate });
    };
    child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => {
      if (stderr.length < MOST_STDERR) stderr += chunk.toString("utf8");
    });
    child.on("error", (error) => {
      stderr = error.message;
      finish(null);
    });
    child.on("close", finish);
    // A process that a hook has left behind may keep the pipes open for ever.
    child.on("exit", (code) => setTimeout(() => finish(code), LINGER_MS));
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

const LINGER_MS = 300;

/** File names are no patterns; `check-ignore` takes them literally by itself, and does not know the switch. */
const LITERAL = ["--literal-pathspecs"];

const SETTINGS = [
  "core.quotePath=false",
  "core.fsmonitor=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "advice.addEmptyPathspec=false",
].flatMap((setting) => ["-c", setting]);

/** The variables of git's that belong to a person's set-up, not to a repository around us. */
const KEPT =
  /^GIT_(?:AUTHOR_|COMMITTER_|CONFIG_GLOBAL$|CONFIG_SYSTEM$|CONFIG_NOSYSTEM$|SSH$|SSH_VARIANT$|EXEC_PATH$|SSL_)/;

function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || KEPT.test(name));
  const ssh = env["GIT_SSH_COMMAND"] ?? (env["GIT_SSH"] === undefined ? "ssh" : null);
  return {
    ...Object.fromEntries(kept),
    ...NO_PROMPT,
    ...(ssh !== null && { GIT_SSH_COMMAND: `${ssh} -oBatchMode=yes -oConnectTimeout=10` }),
    GIT_OPTIONAL_LOCKS: "0",
    LC_ALL: "C",
  };
}

/** Every way in which git or its helpers would ask a person. */
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

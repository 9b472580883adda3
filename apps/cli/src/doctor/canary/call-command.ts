import { spawn } from "node:child_process";

export interface CommandCall {
  readonly shell: "sh" | "bash";
  readonly command: string;
  readonly input: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

export interface CommandAnswer {
  /**
   * How it ended: by itself; not within its time; with more output than anyone wants; or by itself while something
   * that it left running keeps its output open.
   */
  readonly end: "exited" | "timed-out" | "flooded" | "held-open" | "not-started";
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** How long it took; the whole time limit if that was not enough. */
  readonly durationMs: number;
}

const MAX_OUTPUT = 1024 * 1024;
/** How long Claude Code waits for the output to end after the command has. */
const HELD_OPEN_MS = 500;

/** Runs a command in a shell, with a text on its stdin, for a bounded time; whatever it started ends with it. */
export function callCommand({ shell, command, input, cwd, env, timeoutMs }: CommandCall): Promise<CommandAnswer> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const child = spawn(shell, ["-c", command], { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    const said = { stdout: "", stderr: "" };
    let holding: NodeJS.Timeout | undefined;
    let exitCode: number | null = null;
    let isOver = false;

    const finish = (end: CommandAnswer["end"]) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(running);
      clearTimeout(holding);
      const durationMs = end === "timed-out" ? timeoutMs : performance.now() - startedAt;
      if (end !== "exited") endGroup(child.pid);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      resolve({ end, exitCode, ...said, durationMs });
    };
    const running = setTimeout(() => finish("timed-out"), timeoutMs);
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        said[name] += text;
        if (said[name].length > MAX_OUTPUT) finish("flooded");
      });
    }
    child.on("error", (error) => {
      said.stderr += error.message;
      finish("not-started");
    });
    child.on("exit", (code, signal) => {
      exitCode = code ?? (signal === null ? null : 128);
      holding = setTimeout(() => finish("held-open"), HELD_OPEN_MS);
    });
    child.on("close", () => finish("exited"));
    // A command that does not read its stdin is not a fault in itself.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

/** The command runs in its own process group, so that all of its processes can be ended. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing is left of it.
  }
}

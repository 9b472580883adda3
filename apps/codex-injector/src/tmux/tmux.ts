import { execa } from "execa";

/** How a tmux server is reached: the program with its first arguments, and what to add to the environment. */
export interface TmuxOptions {
  /** `["tmux"]` by default; `["tmux", "-L", "work"]` for a named server. */
  readonly command?: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly timeLimitMs?: number;
}

/** Runs one tmux command line, or several joined by `";"`, on one server. */
export type Tmux = (args: readonly string[], input?: string) => Promise<TmuxResult>;

/** What tmux printed, or why it could not be asked. */
export type TmuxResult =
  | { readonly ok: true; readonly stdout: string }
  | { readonly ok: false; readonly reason: TmuxFault; readonly detail: string };

/** `missing`: no such program; `no-server`: no server is running; `no-pane`: the target is gone; `failed`: anything else. */
export type TmuxFault = "missing" | "no-server" | "no-pane" | "timeout" | "failed";

/** Makes the way to a tmux server. */
export function createTmux({ command = ["tmux"], env = {}, timeLimitMs = 5000 }: TmuxOptions = {}): Tmux {
  const [program, ...firstArgs] = command;
  return async (args, input) => {
    // Without -u, a client in the C locale is given `_` for every letter that is not ASCII.
    const outcome = await execa(program, [...firstArgs, "-u", ...args], {
      env,
      timeout: timeLimitMs,
      reject: false,
      stripFinalNewline: false,
      ...(input === undefined ? { stdin: "ignore" } : { input }),
    });
    if (!outcome.failed) return { ok: true, stdout: outcome.stdout };
    const detail = outcome.stderr.trim() || (outcome.shortMessage ?? "");
    if (outcome.timedOut) return { ok: false, reason: "timeout", detail };
    if (outcome.code === "ENOENT") return { ok: false, reason: "missing", detail };
    return { ok: false, reason: FAULTS.find(({ words }) => words.test(detail))?.reason ?? "failed", detail };
  };
}

const FAULTS: readonly { readonly words: RegExp; readonly reason: TmuxFault }[] = [
  { words: /^no server running|^error connecting|^server exited|^lost server/, reason: "no-server" },
  { words: /^can't find (pane|window|session)/, reason: "no-pane" },
];

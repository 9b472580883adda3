import { runProgram } from "../program.ts";
import type { Environment } from "../environment.ts";
import { createStyle } from "../terminal/style.ts";

/** What a run of the program gave. */
export interface CliRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, in environment of the test's own, as if into a pipe. */
export async function runCheckpoint(
  args: readonly string[],
  given: Partial<Environment> & Pick<Environment, "cwd" | "userHome" | "home">,
): Promise<CliRun> {
  const said = { stdout: "", stderr: "" };
  const env = given.env ?? {};
  const exitCode = await runProgram(args, {
    out: (text) => void (said.stdout += text),
    err: (text) => void (said.stderr += text),
    env,
    isTerminal: false,
    columns: 80,
    isProgressShown: false,
    ask: null,
    ended: () => Promise.resolve(),
    style: createStyle({ isTerminal: given.isTerminal ?? false, env }),
    now: () => new Date(),
    ...given,
  });
  return { exitCode, ...said };
}

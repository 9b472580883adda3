import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

/** Whether the executable is tested instead of the Node program. */
export const IS_BINARY_TESTED: boolean = process.env["CHECKPOINT_TESTED_PROGRAM"] === "binary";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The built Node program. */
export const NODE_PROGRAM: string = here("../../dist/checkpoint-hook.cjs");

/** The executable of this platform. */
export const BINARY: string = here(
  `../../../../binaries/${process.platform}-${process.arch}/dist/checkpoint-hook${process.platform === "win32" ? ".exe" : ""}`,
);

/** The program that is tested, as agents call it. */
export const PROGRAM: string = IS_BINARY_TESTED ? BINARY : NODE_PROGRAM;

/** The words that start the built program. */
export const HOOK: readonly [string, ...string[]] = IS_BINARY_TESTED ? [PROGRAM] : [process.execPath, PROGRAM];

/** What a call of the program came to. */
export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | undefined;
}

export interface HookInput {
  readonly agent: string;
  /** The payload; a string is sent as it is. */
  readonly event: unknown;
  readonly env: Readonly<Record<string, string>>;
  /** A file to send the payload from, for a parent too busy to feed a pipe. */
  readonly file?: string;
  readonly cwd?: string;
  /** Another Node than that of the tests. */
  readonly node?: string;
  /** A command that the program is run under: another namespace, fewer rights. */
  readonly under?: readonly string[];
}

/** Calls the built program with an event on stdin, in an environment that holds nothing but what is given. */
export async function callHook(call: HookInput): Promise<HookAnswer> {
  const { agent, event, file, env, cwd = "/", under = [] } = call;
  const start = call.node === undefined ? HOOK : [call.node, PROGRAM];
  if (!existsSync(PROGRAM)) throw new Error("build first: npm run build");
  const input = typeof event === "string" ? event : JSON.stringify(event);
  const options = {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
  } as const;
  const [program, ...args] = [...under, ...start, "--agent", agent];
  if (program === undefined) throw new Error("no program to call");
  if (file !== undefined) writeFileSync(file, input);
  const { stdout, stderr, exitCode } =
    file === undefined
      ? await execa(program, args, { ...options, input })
      : await execa("sh", ["-c", 'stdin=$1; shift; exec "$@" < "$stdin"', "sh", file, program, ...args], options);
  return { stdout, stderr, exitCode };
}

/** The text that a blocking answer brings to the agent; null where it passes. */
export function reasonOf({ stdout }: Pick<HookAnswer, "stdout">): string | null {
  return stdout === "" ? null : ((JSON.parse(stdout) as { reason?: string }).reason ?? null);
}

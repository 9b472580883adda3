import { execa } from "execa";

/** What the `codex` program on this machine can do. */
export interface CodexProgram {
  readonly path: string;
  readonly hasQueue: boolean;
}

/** Asks a `codex` program whether it has the queue command; one that is not there has nothing. */
export async function inspectCodex(path: string, env: Readonly<Record<string, string>>): Promise<CodexProgram> {
  const { exitCode, stdout } = await execa(path, ["queue", "--help"], {
    env,
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    timeout: 15_000,
  });
  return { path, hasQueue: exitCode === 0 && typeof stdout === "string" && stdout.includes("--thread") };
}

import { execa } from "execa";
import { fail, type Finding, ok } from "../finding.ts";
import type { Machine } from "./machine.ts";

/** Whether git is there; without it no change is seen. */
export async function checkGit({ env }: Machine): Promise<readonly Finding[]> {
  const { exitCode, stdout } = await execa("git", ["--version"], {
    env,
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    timeout: 5000,
  });
  const version = /\d+\.[\w.]+/.exec(stdout ?? "")?.[0];
  return exitCode === 0 && version !== undefined
    ? [ok(version)]
    : [fail("git was not found: no change can be seen", "Install git, and see that the agent's PATH has it.")];
}

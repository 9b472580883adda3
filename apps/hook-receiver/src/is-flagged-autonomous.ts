import { isAutonomous } from "@agent-checkpoint/autosave/is-autonomous";

/** Whether the environment alone says that nobody is there to be asked; the config is not read for it. */
export function isFlaggedAutonomous(env: NodeJS.ProcessEnv): boolean {
  return isAutonomous({ env, userHome: userHome(env), mode: "normal" });
}

export function userHome(env: NodeJS.ProcessEnv): string {
  return env["HOME"] || process.getBuiltinModule("node:os").homedir();
}

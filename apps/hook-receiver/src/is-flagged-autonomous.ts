import { isAutonomous } from "@agent-checkpoint/autosave/is-autonomous";

/** Whether the environment alone says that nobody is there to be asked; the config is not read for it. */
export function isFlaggedAutonomous(env: NodeJS.ProcessEnv): boolean {
  return isAutonomous({ env, userHome: userHome(env), mode: "normal" });
}

/** The person's home; the root of the file system for a user whom the system does not know. */
export function userHome(env: NodeJS.ProcessEnv): string {
  try {
    return env["HOME"] || process.getBuiltinModule("node:os").homedir();
  } catch {
    return "/";
  }
}

import {
  type AgentSettings,
  isInRunnerCache,
  projectCommand,
  type SettingsScope,
  stableNodePath,
  stablePackagePath,
  userCommand,
} from "@agent-checkpoint/agents";
import { CliError } from "../cli-error.ts";
import { ownHookProgram } from "../doctor/own-hook-program.ts";
import { EXIT } from "../exit-codes.ts";

/** The command line that calls our program for an agent with some arguments. */
export type HookCommands = (settings: AgentSettings, args: string) => string;

/** How our program is called from settings of a scope: by this installation's paths, or from wherever it is found. */
export function hookCommands(scope: SettingsScope, env: Readonly<Record<string, string | undefined>>): HookCommands {
  if (scope === "project") return ({ projectFolderWord }, args) => projectCommand(projectFolderWord, args);
  const real = ownHookProgram();
  if (real === null) {
    throw new CliError("checkpoint-hook, the program that agents call, is missing beside this one.", {
      exitCode: EXIT.failed,
      advice: "Install @agent-checkpoint/cli again; in a clone of the repository, run `npm run build`.",
    });
  }
  if (isInRunnerCache(real)) {
    throw new CliError("this program runs from a cache that npx and its like empty some day.", {
      exitCode: EXIT.usage,
      advice: "Install it first with `npm install --global @agent-checkpoint/cli`, then run `checkpoint init`.",
    });
  }
  const paths = { node: stableNodePath(process.execPath, env["PATH"]), program: stablePackagePath(real) };
  return (_settings, args) => userCommand(paths, args);
}

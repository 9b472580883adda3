import { join } from "node:path";
import { findOnPath, HOOK_PROGRAM, isProgram, type SettingsPlace, type SettingsScope } from "@agent-checkpoint/agents";
import { findGitRoot, loadRules } from "@agent-checkpoint/composer";
import { isAutonomous } from "@agent-checkpoint/autosave/is-autonomous";
import type { AgentName } from "@agent-checkpoint/transcript";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { Surroundings } from "../surroundings.ts";
import { findAgents } from "./find-agents.ts";
import { hookCommands } from "./hook-commands.ts";
import type { InitReport } from "./init-report.ts";
import { registerAgent } from "./register-agent.ts";
import { writeConfig } from "./write-config.ts";

/** What `init` is asked for. */
export interface InitRequest {
  /** The agents that are named; none means all that are found. */
  readonly agents: readonly AgentName[];
  readonly scope: SettingsScope;
  readonly isDryRun: boolean;
  readonly isConfigWanted: boolean;
}

/** Registers our hooks with the agents that are there, and gives the repository a config. */
export async function runInit(request: InitRequest, surroundings: Surroundings): Promise<InitReport> {
  const { env, cwd, userHome, home, now } = surroundings;
  const { agents, scope, isDryRun, isConfigWanted } = request;
  const root = findGitRoot(cwd);
  if (scope === "project" && root === null) {
    throw new CliError(`--project needs a repository, and ${cwd} is not in one.`, {
      exitCode: EXIT.usage,
      advice: "Go into the repository, or leave --project out to set it up for yourself.",
    });
  }
  const place: SettingsPlace = { env, userHome, projectRoot: root ?? cwd };
  const commands = hookCommands(scope, env);
  const found = await findAgents(place, agents);
  const loaded = loadRules(place.projectRoot, home);
  const hasGate = loaded.ok && loaded.rules.safety?.gate === true;
  const mode = (loaded.ok ? loaded.rules.save?.mode : undefined) ?? "normal";
  const saves = isAutonomous({ env, userHome, mode });
  const isMeant = ({ isThere }: { readonly isThere: boolean }) => isThere || agents.length > 0;
  return {
    isDryRun,
    scope,
    root,
    agents: found
      .filter(isMeant)
      .map((agent) => registerAgent(agent, place, { scope, isDryRun, commands, now, hasGate, isAutonomous: saves })),
    notFound: found.filter((agent) => !isMeant(agent)).map(({ settings }) => settings.agent),
    config: isConfigWanted && root !== null ? await writeConfig(root, isDryRun) : null,
    next: scope === "project" ? projectSteps(place) : [],
  };
}

/** In a project's settings the program is called by name: whoever works there needs it. */
function projectSteps({ env, projectRoot }: SettingsPlace): readonly string[] {
  const local = join(projectRoot, "node_modules", ".bin", HOOK_PROGRAM);
  const isThere = findOnPath(HOOK_PROGRAM, env["PATH"]) !== null || isProgram(local);
  return [
    "Commit the settings, so that they reach everybody who works here.",
    ...(isThere
      ? []
      : [
          `\`${HOOK_PROGRAM}\` is neither on the PATH nor in node_modules, and stays silent until it is: \`npm install --save-dev @agent-checkpoint/cli\``,
        ]),
  ];
}

/** What `init` ends with: 3 where a file could not be read or written, 2 where all were refused, 1 where some were. */
export function initExitCode({ agents, config }: InitReport): ExitCode {
  if (agents.some(({ status }) => status === "failed") || config?.status === "failed") return EXIT.failed;
  const refused = agents.filter(({ status }) => status === "refused" || status === "too-old");
  if (refused.length > 0 && refused.length === agents.length) return EXIT.usage;
  return refused.length > 0 || agents.length === 0 ? EXIT.found : EXIT.ok;
}

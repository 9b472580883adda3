import { AGENTS, type SettingsPlace, type SettingsScope } from "@agent-checkpoint/agents";
import { findGitRoot } from "@agent-checkpoint/composer";
import type { AgentName } from "@agent-checkpoint/transcript";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { Surroundings } from "../surroundings.ts";
import { removeFromAgent } from "./remove-from-agent.ts";
import type { UninstallReport } from "./uninstall-report.ts";

/** What `uninstall` is asked for. */
export interface UninstallRequest {
  /** The agents that are named; none means all. */
  readonly agents: readonly AgentName[];
  readonly scope: SettingsScope;
  readonly isDryRun: boolean;
}

/** Takes out of the agents' settings what `init` put in. */
export function runUninstall(
  { agents, scope, isDryRun }: UninstallRequest,
  surroundings: Surroundings,
): UninstallReport {
  const { env, userHome, cwd } = surroundings;
  const place: SettingsPlace = { env, userHome, projectRoot: findGitRoot(cwd) ?? cwd };
  const meant = AGENTS.filter(({ agent }) => agents.length === 0 || agents.includes(agent));
  return { isDryRun, scope, agents: meant.map((settings) => removeFromAgent(settings, place, { scope, isDryRun })) };
}

/** What `uninstall` ends with: 3 where a file could not be read or written, 1 where one was refused. */
export function uninstallExitCode({ agents }: UninstallReport): ExitCode {
  if (agents.some(({ status }) => status === "failed")) return EXIT.failed;
  return agents.some(({ status }) => status === "refused") ? EXIT.found : EXIT.ok;
}

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readProcess } from "@agent-checkpoint/files";
import { AGENT_NAMES, type AgentName } from "@agent-checkpoint/transcript";
import type { Agent, PersonalPlace, SettingsPlace, SettingsScope } from "./agent.ts";
import { claude } from "./claude/agent.ts";
import { codex } from "./codex/agent.ts";
import { copilot } from "./copilot/agent.ts";
import { gemini } from "./gemini/agent.ts";
import { opencode } from "./opencode/agent.ts";
import { pi } from "./pi/agent.ts";
import { isAtLeast } from "./program/installed.ts";
import { qwen } from "./qwen/agent.ts";
import type { WantedHook } from "./settings/plan.ts";

const BY_NAME: Readonly<Record<AgentName, Agent>> = { claude, gemini, codex, copilot, qwen, opencode, pi };

/** All agents, in the order in which people see them. */
export const AGENTS: readonly Agent[] = AGENT_NAMES.map(agentOf);

/** What we know of the agent with this name. */
export function agentOf(name: AgentName): Agent {
  return BY_NAME[name];
}

/** The folder in which an agent looks for skills: `<name>/SKILL.md`. They all have one, in the same place. */
export function skillsFolder(agent: Agent, scope: SettingsScope, place: SettingsPlace): string {
  return join(scope === "user" ? agent.homeFolder(place) : join(place.projectRoot, agent.projectFolder), "skills");
}

/** An agent whose command this program is, and the variable that shows it. */
export interface SurroundingAgent extends Pick<Agent, "name" | "title"> {
  readonly variable: string;
  /** The session that runs the command; null if the agent does not name it. */
  readonly sessionId: string | null;
}

/** The agents whose command this program is: none, one, or several if one agent started the other. */
export function surroundingAgents(env: PersonalPlace["env"]): readonly SurroundingAgent[] {
  return AGENTS.flatMap(({ name, title, environment: { signs, session } }) => {
    const variable = signs.find((sign) => Boolean(env[sign]));
    return variable === undefined ? [] : [{ name, title, variable, sessionId: env[session] || null }];
  });
}

/** A process as the system shows it. */
export interface SystemProcess {
  readonly parent: number;
  readonly argv: readonly string[];
  /** The variables that it was started with. */
  readonly env: PersonalPlace["env"];
}

/** More than a person's terminal ever has above it. */
const MAX_PARENTS = 64;

/**
 * The agent whose command this program is, and what shows it; null if it is a person's.
 *
 * A command can take away the variables that show it, but not the processes that it came from: the agent itself, or a shell
 * that still has them.
 */
export function agentAbove(
  { pid, env }: { readonly pid: number; readonly env: PersonalPlace["env"] },
  readProcess: (pid: number) => SystemProcess | null = readSystem,
): { readonly title: string; readonly sign: string } | null {
  const [own] = surroundingAgents(env);
  if (own !== undefined) return { title: own.title, sign: `${own.variable} is set` };
  let next = pid;
  for (let steps = 0; next > 1 && steps < MAX_PARENTS; steps += 1) {
    const found = readProcess(next);
    if (found === null) return null;
    const [around] = surroundingAgents(found.env);
    if (around !== undefined)
      return { title: around.title, sign: `${around.variable} is set in process ${next} above` };
    const programs = new Set(found.argv.slice(0, 2).map((word) => basename(word).replace(/\.[cm]?js$/, "")));
    const agent = AGENTS.find(({ program }) => next !== pid && programs.has(program));
    if (agent !== undefined) return { title: agent.title, sign: `it is process ${next} above` };
    next = found.parent;
  }
  return null;
}

/** What the system reports about a process; its variables only on Linux, and never those of another user. */
function readSystem(pid: number): SystemProcess | null {
  const found = readProcess(pid);
  return found && { ...found, env: variablesOf(pid) };
}

function variablesOf(pid: number): PersonalPlace["env"] {
  try {
    const words = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return Object.fromEntries(words.map((word) => [word.split("=", 1)[0], word.slice(word.indexOf("=") + 1)]));
  } catch {
    return {};
  }
}

/** An environment without the variables that agents set for the commands they run. */
export function withoutAgentVariables(env: PersonalPlace["env"]): PersonalPlace["env"] {
  const isOfAgent = (variable: string) => AGENTS.some(({ environment }) => environment.all.test(variable));
  return Object.fromEntries(Object.entries(env).filter(([variable]) => !isOfAgent(variable)));
}

/**
 * The hooks that an agent is to have: those of its events that the installed version knows, and the gate's if it is asked
 * for.
 */
export function wantedHooks(
  agent: Agent,
  {
    command,
    version,
    hasGate = false,
    isAutonomous = false,
  }: {
    readonly command: (args: string) => string;
    readonly version: string | null;
    readonly hasGate?: boolean;
    /** Whether work is saved without asking, so that a hook for compactions is needed. */
    readonly isAutonomous?: boolean;
  },
): readonly WantedHook[] {
  const { events, gateEvent, compactionEvent, timeout, hookName } = agent;
  const args = `--agent ${agent.name}`;
  const name = hookName === null ? {} : { name: hookName };
  const plain = [...events, ...(isAutonomous && compactionEvent !== null ? [compactionEvent] : [])];
  return [...plain.map((event) => ({ ...event, matcher: null })), ...(hasGate ? [gateEvent] : [])]
    .filter(({ since }) => version === null || isAtLeast(version, since))
    .map((event) => ({
      event: event.name,
      ...(event.matcher === null ? {} : { matcher: event.matcher }),
      args,
      hook: { ...name, type: "command", command: command(args), timeout: timeout.value },
    }));
}

import { AGENT_NAMES, type AgentName } from "@agent-checkpoint/transcript";
import type { Agent, PersonalPlace } from "./agent.ts";
import { claude } from "./claude/agent.ts";
import { codex } from "./codex/agent.ts";
import { gemini } from "./gemini/agent.ts";

const BY_NAME: Readonly<Record<AgentName, Agent>> = { claude, gemini, codex };

/** All agents, in the order in which people see them. */
export const AGENTS: readonly Agent[] = AGENT_NAMES.map(agentOf);

/** What we know of the agent with this name. */
export function agentOf(name: AgentName): Agent {
  return BY_NAME[name];
}

/** An agent whose command this program is, and the variable that shows it. */
export interface SurroundingAgent extends Pick<Agent, "name" | "title"> {
  readonly variable: string;
  /** The session that runs the command; null if the agent does not say. */
  readonly sessionId: string | null;
}

/** The agents whose command this program is: none, one, or several if one agent started the other. */
export function surroundingAgents(env: PersonalPlace["env"]): readonly SurroundingAgent[] {
  return AGENTS.flatMap(({ name, title, environment: { signs, session } }) => {
    const variable = signs.find((sign) => Boolean(env[sign]));
    return variable === undefined ? [] : [{ name, title, variable, sessionId: env[session] || null }];
  });
}

/** An environment without the variables that agents set for the commands they run. */
export function withoutAgentVariables(env: PersonalPlace["env"]): PersonalPlace["env"] {
  const isOfAgent = (variable: string) => AGENTS.some(({ environment }) => environment.all.test(variable));
  return Object.fromEntries(Object.entries(env).filter(([variable]) => !isOfAgent(variable)));
}

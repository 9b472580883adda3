import { AGENT_NAMES, type AgentName } from "@agent-checkpoint/transcript";
import type { AgentSettings } from "./agent-settings.ts";
import { claude } from "./claude/settings.ts";
import { codex } from "./codex/settings.ts";
import { gemini } from "./gemini/settings.ts";

const BY_NAME: Readonly<Record<AgentName, AgentSettings>> = { claude, gemini, codex };

/** All agents, in the order in which people see them. */
export const AGENTS: readonly AgentSettings[] = AGENT_NAMES.map(settingsOf);

/** What we know of the agent with this name. */
export function settingsOf(agent: AgentName): AgentSettings {
  return BY_NAME[agent];
}

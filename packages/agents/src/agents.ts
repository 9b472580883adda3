import type { AgentName } from "@agent-checkpoint/transcript";
import type { AgentSettings } from "./agent-settings.ts";
import { claude } from "./claude/settings.ts";
import { codex } from "./codex/settings.ts";
import { gemini } from "./gemini/settings.ts";

/** The agents in the order that they are listed to people. */
export const AGENTS: readonly AgentSettings[] = [claude, gemini, codex];

/** The settings of an agent. */
export function settingsOf(agent: AgentName): AgentSettings {
  return { claude, gemini, codex }[agent];
}

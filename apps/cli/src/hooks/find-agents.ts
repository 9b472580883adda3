import { existsSync } from "node:fs";
import {
  AGENTS,
  type AgentSettings,
  findInstalled,
  type InstalledAgent,
  type SettingsPlace,
} from "@agent-checkpoint/agents";
import type { AgentName } from "@agent-checkpoint/transcript";

/** An agent, and its program where that is on the PATH. */
export interface FoundAgent {
  readonly settings: AgentSettings;
  readonly installed: InstalledAgent | null;
  /** Whether the person has it: its program, or its settings. */
  readonly isThere: boolean;
}

/** Looks for the agents, or for those that are named. */
export function findAgents(place: SettingsPlace, named: readonly AgentName[]): Promise<readonly FoundAgent[]> {
  const wanted = AGENTS.filter(({ agent }) => named.length === 0 || named.includes(agent));
  return Promise.all(
    wanted.map(async (settings) => {
      const installed = await findInstalled(settings, place.env);
      return { settings, installed, isThere: installed !== null || existsSync(settings.homeFolder(place)) };
    }),
  );
}

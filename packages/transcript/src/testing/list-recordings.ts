import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { AGENT_NAMES, type AgentName } from "../formats/agent-names.ts";

/** A recording of an agent, by its path below the recordings of that agent. */
export interface Recording {
  readonly agent: AgentName;
  readonly name: string;
}

/** All recordings of all agents, those of sub-agents included. */
export const listRecordings = (): readonly Recording[] => AGENT_NAMES.flatMap((agent) => recordingsOf(agent));

const recordingsOf = (agent: AgentName): readonly Recording[] =>
  readdirSync(fileURLToPath(new URL(`../../fixtures/${agent}`, import.meta.url)), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.jsonl?$/.test(name) && !name.endsWith(".meta.json"))
    .toSorted()
    .map((name) => ({ agent, name }));

import { AGENT_NAMES } from "@agent-checkpoint/transcript";
import { Option } from "commander";

/** `--agent` for one agent. */
export function agentOption(description: string): Option {
  return new Option("--agent <name>", description).choices(AGENT_NAMES);
}

/** `--agent` for one or more agents. */
export function agentsOption(description: string): Option {
  return new Option("--agent <names...>", description).choices(AGENT_NAMES);
}

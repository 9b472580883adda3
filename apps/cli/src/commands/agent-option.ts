import { Option } from "commander";

/** `--agent`, with the agents to choose from. */
export function agentOption(description: string): Option {
  return new Option("--agent <name>", description).choices(["claude", "gemini", "codex"]);
}

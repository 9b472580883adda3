import { Option } from "commander";

/** `--agent` for one or more agents. */
export function agentsOption(description: string): Option {
  return new Option("--agent <names...>", description).choices(["claude", "gemini", "codex"]);
}

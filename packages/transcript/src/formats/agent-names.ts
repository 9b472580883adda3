/**
 * The coding agents, in the order in which they are listed; every other list of agents is derived from this one.
 * It stands in a file of its own, so that a program can list the agents without loading how each is read.
 */
export const AGENT_NAMES = ["claude", "gemini", "codex", "copilot", "qwen", "opencode", "pi"] as const;

/** The name of a coding agent. */
export type AgentName = (typeof AGENT_NAMES)[number];

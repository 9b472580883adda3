/** The way a message takes to the agent. */
export type Route = "hook" | "queue" | "tmux";

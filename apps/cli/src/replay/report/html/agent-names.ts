/** What the agents call themselves. */
export const AGENT_NAMES = { claude: "Claude Code", gemini: "Gemini CLI", codex: "Codex" } as const;

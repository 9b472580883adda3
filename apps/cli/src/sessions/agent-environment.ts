import type { AgentName } from "@agent-checkpoint/transcript";

type Environment = Readonly<Record<string, string | undefined>>;

/** An agent in whose shell call this program runs, and by which variable that shows. */
export interface SurroundingAgent {
  readonly agent: AgentName;
  readonly title: string;
  readonly variable: string;
  /** The session that made the call, where the agent tells. */
  readonly sessionId: string | null;
}

/** The variables that each agent gives to the commands it runs. */
const SIGNS: readonly {
  readonly agent: AgentName;
  readonly title: string;
  readonly variables: readonly string[];
  readonly session: string;
}[] = [
  { agent: "claude", title: "Claude Code", variables: ["CLAUDECODE"], session: "CLAUDE_CODE_SESSION_ID" },
  // Its shell calls name no session; its hooks do.
  { agent: "gemini", title: "Gemini CLI", variables: ["GEMINI_CLI"], session: "GEMINI_SESSION_ID" },
  {
    agent: "codex",
    title: "Codex",
    variables: ["CODEX_THREAD_ID", "CODEX_CI", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"],
    session: "CODEX_THREAD_ID",
  },
];

/** The agents in whose shell calls this program runs: none, one, or several where one agent started the other. */
export function surroundingAgents(env: Environment): readonly SurroundingAgent[] {
  return SIGNS.flatMap(({ agent, title, variables, session }) => {
    const variable = variables.find((name) => Boolean(env[name]));
    return variable === undefined ? [] : [{ agent, title, variable, sessionId: env[session] || null }];
  });
}

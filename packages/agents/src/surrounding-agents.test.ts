import { expect, test } from "vitest";
import { surroundingAgents } from "./agents.ts";

// The variables as the real programs set them for a shell call.
const cases = [
  { shell: "a person's", env: { PATH: "/bin", CODEX_HOME: "/home/dev/.codex", GEMINI_API_KEY: "x" }, agents: [] },
  {
    shell: "Claude Code's",
    env: { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDE_CODE_SESSION_ID: "c-1", AI_AGENT: "claude-code" },
    agents: [["claude", "CLAUDECODE", "c-1"]],
  },
  { shell: "an older Claude Code's", env: { CLAUDECODE: "1" }, agents: [["claude", "CLAUDECODE", null]] },
  { shell: "Gemini CLI's", env: { GEMINI_CLI: "1" }, agents: [["gemini", "GEMINI_CLI", null]] },
  {
    shell: "Codex's",
    env: { CODEX_THREAD_ID: "t-1", CODEX_CI: "1", CODEX_HOME: "/home/dev/.codex" },
    agents: [["codex", "CODEX_THREAD_ID", "t-1"]],
  },
  {
    shell: "a sandboxed Codex's that tells no thread",
    env: { CODEX_SANDBOX_NETWORK_DISABLED: "1" },
    agents: [["codex", "CODEX_SANDBOX_NETWORK_DISABLED", null]],
  },
  {
    shell: "a Codex's that Claude Code started",
    env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "c-1", CODEX_THREAD_ID: "t-1" },
    agents: [
      ["claude", "CLAUDECODE", "c-1"],
      ["codex", "CODEX_THREAD_ID", "t-1"],
    ],
  },
  { shell: "one with an empty variable", env: { CLAUDECODE: "" }, agents: [] },
];
test.for(cases)("$shell shell", ({ env, agents }) => {
  expect(surroundingAgents(env).map(({ name, variable, sessionId }) => [name, variable, sessionId])).toEqual(agents);
});

import { describe, expect, test } from "vitest";
import { agentAbove, surroundingAgents, type SystemProcess } from "./agents.ts";

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

describe("the agent above a process", () => {
  const shell = (parent: number, env: SystemProcess["env"] = {}): SystemProcess => ({
    parent,
    argv: ["/bin/bash"],
    env,
  });
  const program = (parent: number, ...argv: readonly string[]): SystemProcess => ({ parent, argv, env: {} });
  const rows: {
    command: string;
    env?: SystemProcess["env"];
    processes: Record<number, SystemProcess>;
    found: string | null;
  }[] = [
    { command: "a person's", processes: { 9: program(8, "node", "checkpoint"), 8: shell(1) }, found: null },
    {
      command: "one whose own variable shows it",
      env: { CLAUDECODE: "1" },
      processes: {},
      found: "Claude Code: CLAUDECODE is set",
    },
    {
      command: "one that took the variable away",
      env: { CLAUDECODE: "" },
      processes: { 9: program(8, "node", "checkpoint"), 8: shell(7, { CLAUDECODE: "1" }) },
      found: "Claude Code: CLAUDECODE is set in process 8 above",
    },
    {
      command: "one whose shell took the variable away",
      processes: { 9: program(8, "node", "checkpoint"), 8: shell(7), 7: program(1, "/opt/bin/claude", "-p") },
      found: "Claude Code: it is process 7 above",
    },
    {
      command: "one of an agent that runs in Node",
      processes: { 9: program(8, "node", "checkpoint"), 8: program(1, "node", "/lib/bundle/gemini.js", "--yolo") },
      found: "Gemini CLI: it is process 8 above",
    },
    {
      command: "a person's who works in a folder of that name",
      processes: { 9: program(8, "node", "/home/dev/claude/checkpoint"), 8: program(1, "vim", "notes", "codex") },
      found: null,
    },
    { command: "one among processes that go in a circle", processes: { 9: shell(8), 8: shell(9) }, found: null },
  ];
  test.for(rows)("$command", ({ env = {}, processes, found }) => {
    const above = agentAbove({ pid: 9, env }, (pid) => processes[pid] ?? null);
    expect(above === null ? null : `${above.title}: ${above.sign}`).toBe(found);
  });
});

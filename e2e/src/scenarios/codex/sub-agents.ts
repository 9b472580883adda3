import type { Scenario } from "../scenario.ts";
import { codexSession, shell } from "./session.ts";

/** Work that a sub-agent does, in a thread of its own. */
export const SUB_AGENTS: readonly Scenario[] = [
  codexSession({
    name: "sub-agent",
    shows: "A sub-agent runs a failing command in a thread of its own; both threads' files keep their names.",
    model: "gpt-6-sol",
    prompt: "Have somebody check the greeting",
    replies: [
      {
        calls: [
          {
            tool: "collaboration.spawn_agent",
            input: { task_name: "check", message: "Run the greeting check, please." },
          },
        ],
      },
      { calls: [{ tool: "collaboration.wait_agent", input: { timeout_ms: 10_000 } }] },
      { say: "It fails." },
    ],
    routes: [
      {
        words: "Message Type: NEW_TASK",
        replies: [
          { calls: [{ tool: "exec", input: 'text((await tools.exec_command({ cmd: "sh check.sh" })).output);' }] },
          { say: "Too quiet." },
        ],
      },
    ],
    keptPayloads: { "subagent-stop": { event: "SubagentStop", nth: 1 } },
  }),
  codexSession({
    name: "sub-agent-0.125.0",
    shows: "A sub-agent in 0.125.0, whose file begins with a copy of its parent's turn.",
    version: "0.125.0",
    prompt: "Have somebody check the greeting",
    hookEvents: [],
    args: ["--dangerously-bypass-approvals-and-sandbox"],
    replies: [
      { calls: [{ tool: "spawn_agent", input: { message: "Run the greeting check, please.", fork_context: true } }] },
      {
        calls: [
          { tool: "wait_agent", input: { targets: ["{{agent_id[^0-9a-f]+([0-9a-f-]{36})}}"], timeout_ms: 10_000 } },
        ],
      },
      { say: "It fails." },
    ],
    routes: [
      {
        words: "Run the greeting check, please.",
        replies: [{ calls: [shell("sh check.sh")] }, { say: "Too quiet." }],
      },
    ],
  }),
];

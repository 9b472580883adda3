import type { ModelCall, ModelReply } from "../../fake-models/model-script.ts";
import type { Scenario } from "../scenario.ts";
import { bash, claudeSession, EDIT, READ, slow } from "./session.ts";

const WORDS = "Make the greeting loud and check it.";
const WORK: readonly ModelReply[] = [
  { calls: [bash("sh check.sh")] },
  { calls: [READ] },
  { calls: [EDIT] },
  { calls: [bash("sh check.sh")] },
  { say: "It is loud." },
];

function agent(tool: string, more: Readonly<Record<string, unknown>> = {}): ModelCall {
  return { tool, input: { description: "Make it loud", prompt: WORDS, subagent_type: "general-purpose", ...more } };
}

/** The old name of the Agent tool, and the file with its sub-agent's lines. */
const OLDER = [
  { version: "2.1.50", where: "under subagents/, with progress lines in the main file" },
  { version: "2.0.77", where: "in agent-*.jsonl beside the main file" },
  { version: "1.0.128", where: "in the main file, as sidechain lines" },
];

/** Work that a sub-agent does. */
export const SUB_AGENTS: readonly Scenario[] = [
  claudeSession({
    name: "sub-agent",
    shows:
      "An Agent call whose sub-agent runs a failing Bash, edits and runs a Bash that works; its file is under subagents/.",
    prompt: "Have somebody make the greeting loud",
    replies: [{ calls: [agent("Agent", { run_in_background: false })] }, { say: "It is loud now." }],
    routes: [{ words: WORDS, replies: WORK }],
    keptPayloads: {
      "subagent-stop": { event: "SubagentStop", nth: 1 },
      "stop-after-sub-agent": { event: "Stop", nth: 1 },
    },
  }),
  claudeSession({
    name: "sub-agent-in-background",
    shows:
      "In a second turn, an Agent call in the background: the turn ends before it, its task-notification opens another.",
    prompt: "What does it say?",
    replies: [{ calls: [bash("python3 src/greet.py")] }, { say: "It says hello." }],
    followUps: [
      {
        prompt: "Have somebody make the greeting loud",
        args: ["--permission-mode", "bypassPermissions", "--continue"],
        answersBefore: 2,
        replies: [
          { calls: [agent("Agent", { run_in_background: true })] },
          { say: "Somebody is at it." },
          { say: "It is loud now." },
        ],
        routes: [{ words: WORDS, replies: [{ calls: [bash(slow(1))] }, ...WORK] }],
      },
    ],
    keptPayloads: { "stop-sub-agent-running": { event: "Stop", nth: 2 } },
  }),
  claudeSession({
    name: "sub-agent-blocked",
    shows: "A SubagentStop hook blocks; the feedback stands in the sub-agent's own file and it goes on there.",
    prompt: "Have somebody check the greeting",
    hookAnswers: { SubagentStop: [{ decision: "block", reason: "Run the program too." }] },
    replies: [{ calls: [agent("Agent", { run_in_background: false })] }, { say: "It is not loud." }],
    routes: [
      {
        words: WORDS,
        replies: [
          { calls: [bash("sh check.sh")] },
          { say: "It fails." },
          { calls: [bash("python3 src/greet.py")] },
          { say: "It says hello." },
        ],
      },
    ],
    keptPayloads: { "subagent-stop-after-block": { event: "SubagentStop", nth: 2 } },
  }),
  ...OLDER.map(({ version, where }) =>
    claudeSession({
      name: `sub-agent-${version}`,
      shows: `A Task call in ${version}: the sub-agent's lines are ${where}.`,
      version,
      prompt: "Have somebody check the greeting",
      ...(version === "2.1.50" && { screenSteps: [{ waitFor: "It fails." }, { pauseMs: 1500 }] }),
      replies: [{ calls: [agent("Task")] }, { say: "It fails." }],
      routes: [{ words: WORDS, replies: [{ calls: [bash("sh check.sh")] }, { say: "Too quiet." }] }],
    }),
  ),
];

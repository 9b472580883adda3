import { VOICES } from "../agent-voices.ts";
import { CLI_VERSIONS } from "../cli-versions.ts";
import { GREETER, type Scenario } from "./scenario.ts";

const NAME = "blocked-once-then-finished";
const BLOCK = { decision: "block", reason: "Run the check again before you finish." };

/** What two agents with Claude Code's events do in words of their own. */
interface Dialect {
  readonly agent: "copilot" | "qwen";
  readonly compact: string;
  /** Words of the request for a summary. */
  readonly summaryWords: string;
}

const TASK = "Run the check and report.";

const DIALECTS: readonly Dialect[] = [
  {
    agent: "copilot",
    compact: "/compact",
    summaryWords: "summary",
  },
  {
    agent: "qwen",
    compact: "/compress",
    summaryWords: "state_snapshot",
  },
];

/** The sessions recorded with agents that have taken over Claude Code's events. */
export const CLAUDE_SHAPED_SCENARIOS: readonly Scenario[] = DIALECTS.flatMap((dialect) => {
  const { agent, compact, summaryWords } = dialect;
  const { read, edit, shell, delegate, interrupt } = VOICES[agent];
  const session = (scenario: Omit<Scenario, "agent">): Scenario => ({
    agent,
    projectFiles: GREETER,
    hookEvents: ["UserPromptSubmit", "Stop"],
    ...scenario,
  });
  const blockedOnce = session({
    name: NAME,
    shows: "A read, a failing command, an edit, a command that works; a Stop hook blocks; one more command.",
    prompt: "Make the greeting loud",
    hookAnswers: { Stop: [BLOCK] },
    replies: [
      { say: "I look at the file first.", calls: [read("src/greet.py")] },
      { calls: [shell("sh check.sh")] },
      { calls: [edit("src/greet.py", "hello", "HELLO")] },
      { calls: [shell("python3 src/greet.py")] },
      { say: "The greeting is loud now." },
      { calls: [shell("sh check.sh")] },
      { say: "The check passes." },
    ],
  });
  const payloads = (suffix = "") => ({
    [`user-prompt-submit${suffix}`]: { event: "UserPromptSubmit", nth: 1 },
    [`stop-first${suffix}`]: { event: "Stop", nth: 1 },
    [`stop-after-block${suffix}`]: { event: "Stop", nth: 2 },
  });
  return [
    { ...blockedOnce, keptPayloads: payloads() },
    ...CLI_VERSIONS[agent].older.map((version) => ({
      ...blockedOnce,
      name: `${NAME}-${version}`,
      shows: `The same as ${NAME}, as ${version} writes it.`,
      version,
      keptPayloads: payloads(`-${version}`),
    })),
    session({
      name: "calls-that-fail",
      shows:
        "A file that is missing, an edit that matches nothing, an unknown tool, a missing program, two calls at once.",
      prompt: "Try everything",
      hookEvents: ["UserPromptSubmit", "PreToolUse", "Stop"],
      replies: [
        { calls: [read("src/nothing.py")] },
        { calls: [edit("src/greet.py", "not there", "x")] },
        { calls: [{ tool: "no_such_tool", input: { a: 1 } }] },
        { calls: [shell("no-such-program")] },
        { calls: [shell("echo one"), shell("sh check.sh")] },
        { say: "Some of it failed." },
      ],
      keptPayloads: {
        "pre-tool-use-edit": { event: "PreToolUse", nth: 2 },
        "pre-tool-use-shell": { event: "PreToolUse", nth: agent === "copilot" ? 4 : 3 },
      },
    }),
    session({
      name: "sub-agent",
      shows: "A sub-agent runs a failing command and reports.",
      prompt: "Let somebody check the greeting",
      replies:
        agent === "copilot"
          ? [{ calls: [delegate(TASK)] }, { say: "It fails." }]
          : [{ calls: [delegate(TASK)] }, { say: "I wait." }, { say: "It fails." }],
      routes: [{ words: TASK, replies: [{ calls: [shell("sh check.sh")] }, { say: "The check fails." }] }],
      keptPayloads:
        agent === "copilot"
          ? { "stop-sub-agent": { event: "Stop", nth: 1 } }
          : { "stop-sub-agent-running": { event: "Stop", nth: 1 } },
    }),
    session({
      name: "continued-session",
      shows: "A second prompt in a session that was ended and continued.",
      prompt: "Check the greeting",
      replies: [{ calls: [shell("sh check.sh")] }, { say: "It fails." }],
      followUps: [
        {
          prompt: "And now make it loud",
          args: ["--continue", ...(agent === "qwen" ? ["--yolo"] : [])],
          replies: [{ calls: [edit("src/greet.py", "hello", "HELLO")] }, { say: "It is loud." }],
          answersBefore: 2,
        },
      ],
    }),
    session({
      name: "api-error",
      shows: "The model's API refuses a request: the turn ends without a stop.",
      prompt: "Check the greeting",
      replies: [{ calls: [shell("sh check.sh")] }, { error: { status: 400, message: "The request is not valid." } }],
    }),
    session({
      name: "interrupted",
      shows: "The user interrupts a command, and says something else.",
      prompt: "Check the greeting slowly",
      screenSteps: [
        { pauseMs: 4000 },
        ...interrupt,
        { pauseMs: 2500 },
        { enter: "Say hello instead" },
        { waitFor: "Hello there" },
        { pauseMs: 1500 },
      ],
      replies: [{ calls: [shell("sh check.sh; python3 -c 'import time; time.sleep(20)'")] }, { say: "Hello there." }],
    }),
    session({
      name: "typed-while-working",
      shows: "Something is typed while a command runs.",
      prompt: "Check the greeting slowly",
      screenSteps: [{ pauseMs: 3000 }, { enter: "And be brief" }, { waitFor: "In short" }, { pauseMs: 2000 }],
      replies: [
        { calls: [shell("python3 -c 'import time; time.sleep(6)'; sh check.sh")] },
        { say: "In short: it fails." },
      ],
    }),
    session({
      name: "compacted",
      shows: "The user compacts the conversation between two prompts.",
      prompt: "Check the greeting",
      hookEvents: ["UserPromptSubmit", "Stop", "PreCompact"],
      screenSteps: [
        { waitFor: "It fails." },
        { pauseMs: 1500 },
        { enter: compact },
        { pauseMs: 6000 },
        { enter: "And what does it say" },
        { waitFor: "It says hello." },
        { pauseMs: 1500 },
      ],
      replies: [{ calls: [shell("sh check.sh")] }, { say: "It fails." }],
      // The summary stands in every later request.
      routes: [
        {
          words: summaryWords,
          replies: [
            { say: "<state_snapshot>The summary: it fails.</state_snapshot>" },
            { calls: [shell("python3 src/greet.py")] },
            { say: "It says hello." },
          ],
        },
      ],
      keptPayloads: { "pre-compact": { event: "PreCompact", nth: 1 } },
    }),
  ];
});

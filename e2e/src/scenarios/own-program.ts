import { VOICES } from "../agent-voices.ts";
import { GREETER, type Scenario } from "./scenario.ts";

const BLOCK = { decision: "block", reason: "Run the check again before you finish." };

/** What agents do in words of their own that have no hooks, so that a program of ours passes their events on. */
interface Dialect {
  readonly agent: "opencode" | "pi";
  /** How often a blocked stop is reported: OpenCode's once more when the model reads the message. */
  readonly reports: number;
}

const DIALECTS: readonly Dialect[] = [
  { agent: "opencode", reports: 2 },
  { agent: "pi", reports: 1 },
];

const SLOWLY = "python3 -c 'import time; time.sleep(6)'; sh check.sh";

/** The sessions recorded with agents that a program of ours passes the events on of. */
export const OWN_PROGRAM_SCENARIOS: readonly Scenario[] = [
  ...DIALECTS.flatMap(({ agent, reports }) => {
    const { read, edit, shell, interrupt } = VOICES[agent];
    const session = (scenario: Omit<Scenario, "agent">): Scenario => ({
      agent,
      projectFiles: GREETER,
      hookEvents: ["UserPromptSubmit", "Stop"],
      ...scenario,
    });
    return [
      session({
        name: "blocked-once-then-finished",
        shows: "A read, a failing command, an edit, a command that works; the stop is blocked; one more command.",
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
        keptPayloads: {
          "user-prompt-submit": { event: "UserPromptSubmit", nth: 1 },
          "stop-first": { event: "Stop", nth: 1 },
          ...(reports === 2 && { "stop-delivered": { event: "Stop", nth: 2 } }),
          "stop-after-block": { event: "Stop", nth: reports + 1 },
        },
      }),
      session({
        name: "calls-that-fail",
        shows: "A missing file, an edit that matches nothing, an unknown tool, a missing program, two calls at once.",
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
        keptPayloads: { "pre-tool-use-edit": { event: "PreToolUse", nth: 2 } },
      }),
      session({
        name: "continued-session",
        shows: "A second prompt in a session that was ended and continued.",
        prompt: "Check the greeting",
        replies: [{ calls: [shell("sh check.sh")] }, { say: "It fails." }],
        followUps: [
          {
            prompt: "And now make it loud",
            args: ["--continue"],
            replies: [{ calls: [edit("src/greet.py", "hello", "HELLO")] }, { say: "It is loud." }],
            answersBefore: 2,
          },
        ],
      }),
      session({
        name: "interrupted",
        shows: "The user interrupts a command, and says something else.",
        prompt: "Check the greeting slowly",
        screenSteps: [
          { waitFor: "time.sleep" },
          { pauseMs: 2500 },
          ...interrupt,
          { pauseMs: 2500 },
          { enter: "Say hello instead" },
          { waitFor: "Hello there" },
          { pauseMs: 2500 },
        ],
        replies: [{ calls: [shell("sh check.sh; python3 -c 'import time; time.sleep(30)'")] }, { say: "Hello there." }],
      }),
      session({
        name: "typed-while-working",
        shows: "Something is typed while a command runs.",
        prompt: "Check the greeting slowly",
        screenSteps: [
          { waitFor: "time.sleep" },
          { pauseMs: 1000 },
          { enter: "And be brief" },
          { waitFor: "In short" },
          { pauseMs: 2500 },
        ],
        replies: [{ calls: [shell(SLOWLY)] }, { say: "In short: it fails." }],
      }),
      session({
        name: "compacted",
        shows: "The user compacts the conversation between two prompts.",
        prompt: "Check the greeting",
        hookEvents: ["UserPromptSubmit", "Stop", "PreCompact"],
        screenSteps: [
          { waitFor: "It fails." },
          { pauseMs: 2500 },
          { enter: "/compact" },
          { pauseMs: 8000 },
          { enter: "And what does it say" },
          { waitFor: "It says hello." },
          { pauseMs: 2500 },
        ],
        replies: [
          { calls: [shell("sh check.sh")] },
          { say: "It fails." },
          { calls: [shell("python3 src/greet.py")] },
          { say: "It says hello." },
        ],
        keptPayloads: { "pre-compact": { event: "PreCompact", nth: 1 } },
      }),
    ];
  }),
  {
    agent: "opencode",
    name: "sub-agent",
    shows: "A sub-agent runs a failing command and reports; its messages are in a session of its own.",
    projectFiles: GREETER,
    prompt: "Let somebody check the greeting",
    hookEvents: ["UserPromptSubmit", "Stop"],
    replies: [{ calls: [VOICES.opencode.delegate("Run the check and report.")] }, { say: "It fails." }],
    routes: [
      {
        words: "Run the check and report.",
        replies: [{ calls: [VOICES.opencode.shell("sh check.sh")] }, { say: "The check fails." }],
      },
    ],
  },
  {
    agent: "pi",
    name: "api-error",
    shows: "The model's API refuses a request: the turn ends without a stop.",
    projectFiles: GREETER,
    prompt: "Check the greeting",
    hookEvents: ["UserPromptSubmit", "Stop"],
    replies: [
      { calls: [VOICES.pi.shell("sh check.sh")] },
      { error: { status: 400, message: "The request is not valid." } },
    ],
  },
];

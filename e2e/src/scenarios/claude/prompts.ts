import { GREETER, type Scenario } from "../scenario.ts";
import { bash, claudeSession } from "./session.ts";

const QUEUED: Scenario = claudeSession({
  name: "queued-prompt",
  shows:
    "A second prompt typed while a Bash call runs: queue-operation lines and a queued_command attachment, no user line.",
  prompt: "Check the greeting",
  replies: [
    { calls: [bash("sleep 3; sh check.sh")] },
    { calls: [bash("python3 src/greet.py")] },
    { say: "Both done." },
  ],
  screenSteps: [
    { waitFor: "sleep 3" },
    { enter: "And run the program too" },
    { waitFor: "Both done" },
    { pauseMs: 1500 },
  ],
  keptPayloads: { "user-prompt-submit-while-working": { event: "UserPromptSubmit", nth: 2 } },
});

/** What opens a turn, and what does not. */
export const PROMPTS: readonly Scenario[] = [
  claudeSession({
    name: "slash-command",
    shows: "A turn opened by a command from .claude/commands: a <command-message> line, then its text as a meta line.",
    prompt: "/loud twice",
    projectFiles: { ...GREETER, ".claude/commands/loud.md": "Make the greeting loud, $ARGUMENTS.\n" },
    replies: [{ calls: [bash("sh check.sh")] }, { say: "Checked." }],
    keptPayloads: { "user-prompt-submit-slash-command": { event: "UserPromptSubmit", nth: 1 } },
  }),
  claudeSession({
    name: "skill",
    shows: "A turn opened by the name of a skill, in which the model uses another skill.",
    prompt: "/loud now",
    projectFiles: {
      ...GREETER,
      ".claude/skills/loud/SKILL.md": "---\nname: loud\ndescription: Makes greetings loud\n---\nMake it loud.\n",
      ".claude/skills/check/SKILL.md": "---\nname: check\ndescription: Checks greetings\n---\nRun check.sh.\n",
    },
    replies: [
      { calls: [{ tool: "Skill", input: { skill: "check" } }] },
      { calls: [bash("sh check.sh")] },
      { say: "Checked." },
    ],
  }),
  claudeSession({
    name: "goal-command",
    shows: "A built-in command that runs the model.",
    prompt: "/goal the greeting is checked",
    replies: [{ calls: [bash("sh check.sh")] }, { say: "Checked." }],
    keptPayloads: { "stop-of-goal-command": { event: "Stop", nth: 1 } },
  }),
  QUEUED,
  ...[
    { version: "2.0.77", trace: "only queue-operation lines" },
    { version: "1.0.128", trace: "nothing at all" },
  ].map(({ version, trace }) => ({
    ...QUEUED,
    name: `${QUEUED.name}-${version}`,
    shows: `The same in ${version}, which writes ${trace} about the second prompt.`,
    version,
    keptPayloads: {},
  })),
  claudeSession({
    name: "queued-prompts-taken-back",
    shows: "Two prompts typed while a Bash call runs, then taken back into the input box with Up.",
    prompt: "Check the greeting",
    replies: [{ calls: [bash("sleep 4; sh check.sh")] }, { say: "It fails." }],
    screenSteps: [
      { waitFor: "sleep 4" },
      { enter: "Run it twice" },
      { enter: "Or thrice" },
      { pauseMs: 300 },
      { press: "Up" },
      { waitFor: "It fails." },
      { pauseMs: 1500 },
    ],
  }),
  claudeSession({
    name: "queued-while-answering",
    shows: "A prompt typed while the model writes its last answer: it is dequeued and opens the next turn.",
    prompt: "Check the greeting",
    replies: [
      { calls: [bash("sh check.sh")] },
      { say: "It fails.", holdMs: 4000 },
      { calls: [bash("python3 src/greet.py")] },
      { say: "It says hello." },
    ],
    screenSteps: [{ pauseMs: 2000 }, { enter: "What does it say?" }, { waitFor: "It says hello." }, { pauseMs: 1500 }],
  }),
  claudeSession({
    name: "continued-session",
    shows: "A session taken up again with --continue: the second run appends to the same file.",
    prompt: "Check the greeting",
    replies: [{ calls: [bash("sh check.sh")] }, { say: "It fails." }],
    followUps: [
      {
        prompt: "What does it say?",
        args: ["--permission-mode", "bypassPermissions", "--continue"],
        replies: [{ calls: [bash("python3 src/greet.py")] }, { say: "It says hello." }],
        answersBefore: 2,
      },
    ],
  }),
];

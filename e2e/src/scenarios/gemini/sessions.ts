import type { Scenario } from "../scenario.ts";
import { geminiSession, shell } from "./session.ts";

const RESUMED: Scenario = geminiSession({
  name: "resumed-session",
  shows:
    "A session taken up again with --resume more than a minute later: the same file, with all messages listed again.",
  prompt: "Check the greeting",
  replies: [{ calls: [shell("sh check.sh")] }, { say: "It fails." }],
  followUps: [
    {
      prompt: "Run the program",
      args: ["--yolo", "--resume", "latest"],
      afterMs: 61_000,
      answersBefore: 2,
      replies: [{ calls: [shell("python3 src/greet.py")] }, { say: "It says hello." }],
    },
  ],
});

/** Sessions of more than one prompt. */
export const SESSIONS: readonly Scenario[] = [
  RESUMED,
  {
    ...RESUMED,
    name: "resumed-in-the-same-minute",
    shows:
      "The same within a minute: the listed messages have lost their tool calls, which only the earlier lines hold.",
    followUps: (RESUMED.followUps ?? []).map((followUp) => ({ ...followUp, afterMs: 0 })),
  },
  geminiSession({
    name: "two-prompts",
    shows: "Two prompts at the interactive screen; an AfterAgent hook denies the second stop.",
    prompt: "Check the greeting",
    hookAnswers: { AfterAgent: [{}, { decision: "deny", reason: "Run the check again before you finish." }] },
    replies: [
      { calls: [shell("sh check.sh")] },
      { say: "It fails." },
      { calls: [shell("python3 src/greet.py")] },
      { say: "It says hello." },
      { calls: [shell("sh check.sh")] },
      { say: "It fails still." },
    ],
    screenSteps: [
      { waitFor: "It fails." },
      { pauseMs: 1000 },
      { enter: "Run the program" },
      { waitFor: "It fails still." },
      { pauseMs: 1500 },
    ],
  }),
  geminiSession({
    name: "rewound-session",
    shows: "/rewind to before the second prompt (a `$rewindTo` line), then another prompt.",
    prompt: "Check the greeting",
    replies: [
      { calls: [shell("sh check.sh")] },
      { say: "It fails." },
      { calls: [shell("python3 src/greet.py")] },
      { say: "It says hello." },
      { calls: [shell("cat src/greet.py")] },
      { say: "It prints hello." },
    ],
    screenSteps: [
      { waitFor: "It fails." },
      { pauseMs: 1000 },
      { enter: "Run the program" },
      { waitFor: "It says hello." },
      { pauseMs: 1500 },
      { enter: "/rewind" },
      { waitFor: "Stay at current position" },
      ...["Up", "Up", "Enter"].flatMap((press) => [{ press }, { pauseMs: 500 }]),
      { waitFor: "Rewind conversation" },
      { press: "Enter" },
      { pauseMs: 1500 },
      { press: "C-u" },
      { pauseMs: 300 },
      { enter: "Show the program" },
      { waitFor: "It prints hello." },
      { pauseMs: 1500 },
    ],
  }),
];

import type { Scenario } from "../scenario.ts";
import { codexSession, shell } from "./session.ts";

/** What opens and ends turns, at the interactive screen and across runs. */
export const TURNS: readonly Scenario[] = [
  codexSession({
    name: "interrupted",
    shows: "Escape while a command runs: the turn is aborted.",
    prompt: "Check the greeting",
    replies: [{ calls: [shell("sh check.sh")] }, { calls: [shell("sleep 30")] }],
    screenSteps: [{ waitFor: "esc to interrupt" }, { pauseMs: 2500 }, { press: "Escape" }, { pauseMs: 3000 }],
  }),
  codexSession({
    name: "declined-approval",
    shows: "A command that the user declined in the approval dialog: the turn is aborted.",
    prompt: "Check the greeting",
    args: ["--ask-for-approval", "on-request", "--sandbox", "read-only", "--dangerously-bypass-hook-trust"],
    replies: [
      {
        calls: [shell("rm -rf src", { sandbox_permissions: "require_escalated", justification: "May I remove src?" })],
      },
    ],
    screenSteps: [{ waitFor: "May I remove src?" }, { pauseMs: 1000 }, { press: "Escape" }, { pauseMs: 3000 }],
  }),
  codexSession({
    name: "steered-turn",
    shows: "A second message sent while a command runs: a second UserMessage in the same turn.",
    prompt: "Check the greeting",
    replies: [
      { calls: [shell("sleep 6; sh check.sh")] },
      { calls: [shell("python3 src/greet.py")] },
      { say: "Both done." },
    ],
    screenSteps: [
      { waitFor: "esc to interrupt" },
      { pauseMs: 1500 },
      { enter: "And run the program too" },
      { waitFor: "Both done." },
      { pauseMs: 2000 },
    ],
  }),
  codexSession({
    name: "blocked-at-the-screen",
    shows: "Two prompts at the interactive screen; a Stop hook blocks the second stop.",
    prompt: "Check the greeting",
    hookAnswers: { Stop: [{}, { decision: "block", reason: "Run the check again before you finish." }] },
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
      { pauseMs: 1500 },
      { enter: "Run the program" },
      { waitFor: "It fails still." },
      { pauseMs: 2000 },
    ],
  }),
  codexSession({
    name: "queued-from-outside",
    shows: "A prompt delivered with `codex queue`: a turn whose trigger is the queue.",
    prompt: "Check the greeting",
    replies: [
      { calls: [shell("sh check.sh")] },
      { say: "It fails." },
      { calls: [shell("python3 src/greet.py")] },
      { say: "It says hello." },
    ],
    screenSteps: [
      { waitFor: "It fails." },
      { pauseMs: 1500 },
      {
        run: `"$CLI" queue --thread "$(ls ~/.codex/sessions/*/*/* | tail -c 43 | head -c 36)" --message 'Run the program'`,
      },
      { waitFor: "It says hello." },
      { pauseMs: 2000 },
    ],
  }),
  codexSession({
    name: "compacted-by-hand",
    shows: "/compact between two prompts.",
    prompt: "Check the greeting",
    replies: [
      { calls: [shell("sh check.sh")] },
      { say: "It fails." },
      { say: "The check fails." },
      { calls: [shell("python3 src/greet.py")] },
      { say: "It says hello." },
    ],
    screenSteps: [
      { waitFor: "It fails." },
      { pauseMs: 1500 },
      { enter: "/compact" },
      { waitFor: "ompacted" },
      { pauseMs: 1500 },
      { enter: "Run the program" },
      { waitFor: "It says hello." },
      { pauseMs: 2000 },
    ],
  }),
  codexSession({
    name: "compacted-in-the-turn",
    shows: "A conversation that grew too large and was compacted between two commands of one turn.",
    prompt: "Check the greeting",
    replies: [
      { calls: [shell("sh check.sh")], inputTokens: 250_000 },
      { say: "The check fails." },
      { calls: [shell("python3 src/greet.py")] },
      { say: "It says hello." },
    ],
  }),
  codexSession({
    name: "resumed-session",
    shows: "A session taken up again with `exec resume --last`: the second run appends to the same file.",
    prompt: "Check the greeting",
    replies: [{ calls: [shell("sh check.sh")] }, { say: "It fails." }],
    followUps: [
      {
        prompt: "Run the program",
        args: ["resume", "--last", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"],
        answersBefore: 2,
        replies: [{ calls: [shell("python3 src/greet.py")] }, { say: "It says hello." }],
      },
    ],
  }),
  codexSession({
    name: "api-error",
    shows: "A turn that ends with an error of the model's API: task_complete carries it, and there is no Stop.",
    prompt: "Check the greeting",
    replies: [{ calls: [shell("sh check.sh")] }, { error: { status: 400, message: "Overloaded" } }],
  }),
];

import type { Scenario } from "../scenario.ts";
import { bash, claudeSession, READ, slow } from "./session.ts";

/** What becomes of calls: parallel, failed, refused, interrupted. */
export const CALLS: readonly Scenario[] = [
  claudeSession({
    name: "parallel-calls",
    shows: "Three Bash calls in one reply, the slowest first and the middle one failing.",
    prompt: "Check the greeting in three ways",
    replies: [
      { say: "Three checks at once.", calls: [bash("sleep 1; echo slow"), bash("sh check.sh"), bash("echo quick")] },
      { say: "One of three failed." },
    ],
  }),
  claudeSession({
    name: "tool-use-errors",
    shows:
      "Calls that never ran: an Edit whose text is not there, an unknown tool, a Read of a missing file; then a Write.",
    prompt: "Write a note",
    replies: [
      { calls: [READ] },
      {
        calls: [
          {
            tool: "Edit",
            input: { file_path: "/home/dev/project/src/greet.py", old_string: "absent", new_string: "present" },
          },
        ],
      },
      { calls: [{ tool: "Sing", input: { song: "loud" } }] },
      { calls: [{ tool: "Read", input: { file_path: "/home/dev/project/missing.py" } }] },
      { calls: [{ tool: "Write", input: { file_path: "/home/dev/project/note.md", content: "Loud.\n" } }] },
      { say: "Written." },
    ],
  }),
  claudeSession({
    name: "file-changed-by-bash",
    shows: "A Bash call that changes a file: `bashEditDiff.changedFiles` names it.",
    prompt: "Make the greeting loud",
    replies: [{ calls: [bash("sed -i s/hello/HELLO/ src/greet.py")] }, { say: "It is loud." }],
  }),
  claudeSession({
    name: "interrupted",
    shows: "Escape while a Bash call runs.",
    prompt: "Check the greeting",
    replies: [{ calls: [bash("python3 src/greet.py")] }, { calls: [bash(slow(30))] }],
    screenSteps: [
      { waitFor: "time.sleep(30)" },
      { pauseMs: 1500 },
      { press: "Escape" },
      { waitFor: "nterrupted" },
      { pauseMs: 1000 },
    ],
  }),
  claudeSession({
    name: "rejected-call",
    shows: "A Bash call that the user refused in the permission dialog, and what was typed after it.",
    prompt: "Check the greeting",
    args: ["--permission-mode", "default"],
    replies: [{ calls: [bash("rm -rf src")] }, { say: "Then not." }],
    screenSteps: [
      { waitFor: "Do you want to proceed" },
      { pauseMs: 500 },
      { press: "Escape" },
      { pauseMs: 1000 },
      { enter: "Leave it" },
      { waitFor: "Then not" },
      { pauseMs: 1000 },
    ],
  }),
  claudeSession({
    name: "rejected-call-with-reason",
    shows: "A Bash call that the user refused with words of their own; the turn goes on.",
    prompt: "Check the greeting",
    args: ["--permission-mode", "default"],
    replies: [{ calls: [bash("rm -rf src")] }, { say: "Then not." }],
    screenSteps: [
      { waitFor: "Do you want to proceed" },
      { pauseMs: 500 },
      ...["Down", "Down", "Down", "Tab"].flatMap((press) => [{ press }, { pauseMs: 300 }]),
      { enter: "leave the folder alone" },
      { waitFor: "Then not" },
      { pauseMs: 1000 },
    ],
  }),
  claudeSession({
    name: "api-error",
    shows: "A turn that ends with an error of the model's API: a synthetic assistant line, and no Stop.",
    prompt: "Check the greeting",
    hookEvents: ["UserPromptSubmit", "Stop", "StopFailure"],
    replies: [{ calls: [bash("sh check.sh")] }, { error: { status: 529, message: "Overloaded" } }],
    screenSteps: [{ waitFor: "API Error" }, { pauseMs: 1500 }],
    keptPayloads: { "stop-failure": { event: "StopFailure", nth: 1 } },
  }),
];

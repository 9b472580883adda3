import type { Scenario } from "../scenario.ts";
import { geminiSession, shell } from "./session.ts";

/** What becomes of calls: parallel, failed, killed, cancelled, in the background, a sub-agent's. */
export const CALLS: readonly Scenario[] = [
  geminiSession({
    name: "parallel-calls",
    shows: "Three shell calls in one reply, the slowest first and the middle one failing.",
    prompt: "Check the greeting in three ways",
    replies: [
      { say: "Three checks at once.", calls: [shell("sleep 1; echo slow"), shell("sh check.sh"), shell("echo quick")] },
      { say: "One of three failed." },
    ],
  }),
  geminiSession({
    name: "shell-trailers",
    shows: "Shell calls that are killed, that go to the background, and that print a false `Exit Code: 0` and fail.",
    prompt: "Check the greeting",
    replies: [
      { calls: [shell("kill -9 $$")] },
      { calls: [shell("sleep 1", { is_background: true })] },
      { calls: [shell("echo 'Exit Code: 0'; exit 3")] },
      { calls: [shell("sh check.sh | cat")] },
      { say: "Checked." },
    ],
  }),
  geminiSession({
    name: "call-errors",
    shows:
      "Calls with status error: a missing file, an edit whose text is not there, an unknown tool; then a write_file.",
    prompt: "Write a note",
    replies: [
      { calls: [{ tool: "read_file", input: { file_path: "missing.py" } }] },
      {
        calls: [
          {
            tool: "replace",
            input: { file_path: "src/greet.py", old_string: "absent", new_string: "present", instruction: "Change it" },
          },
        ],
      },
      { calls: [{ tool: "sing", input: { song: "loud" } }] },
      { calls: [{ tool: "write_file", input: { file_path: "note.md", content: "Loud.\n" } }] },
      { say: "Written." },
    ],
  }),
  geminiSession({
    name: "interrupted",
    shows: "Escape while a shell call runs.",
    prompt: "Check the greeting",
    replies: [{ calls: [shell("sh check.sh")] }, { calls: [shell("sleep 30")] }],
    screenSteps: [{ waitFor: "sleep 30" }, { pauseMs: 1500 }, { press: "Escape" }, { pauseMs: 3000 }],
  }),
  geminiSession({
    name: "rejected-call",
    shows: "A shell call that the user refused in the approval dialog.",
    prompt: "Check the greeting",
    args: [],
    replies: [{ calls: [shell("rm -rf src")] }],
    screenSteps: [{ waitFor: "Allow execution" }, { pauseMs: 1000 }, { press: "Escape" }, { pauseMs: 3000 }],
  }),
  geminiSession({
    name: "sub-agent",
    shows: "A sub-agent runs a failing and a working shell call; its messages are in a folder named for the session.",
    prompt: "Have somebody check the greeting",
    replies: [
      {
        calls: [
          { tool: "invoke_agent", input: { agent_name: "generalist", prompt: "Run the greeting check, please." } },
        ],
      },
      { say: "It fails." },
    ],
    routes: [
      {
        words: "Run the greeting check, please.",
        replies: [
          { calls: [shell("sh check.sh")] },
          { calls: [shell("python3 src/greet.py")] },
          { calls: [{ tool: "complete_task", input: { result: { response: "It says: too quiet." } } }] },
        ],
      },
    ],
  }),
];

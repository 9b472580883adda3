import type { Scenario } from "../scenario.ts";
import { codexSession, patch, shell } from "./session.ts";

/** What becomes of calls: commands and patches. */
export const CALLS: readonly Scenario[] = [
  codexSession({
    name: "parallel-calls",
    shows: "Three commands in one reply, the slowest first and the middle one failing.",
    prompt: "Check the greeting in three ways",
    replies: [
      { say: "Three checks at once.", calls: [shell("sleep 1; echo slow"), shell("sh check.sh"), shell("echo quick")] },
      { say: "One of three failed." },
    ],
  }),
  codexSession({
    name: "command-still-running",
    shows: "A command that outlives its call, then a write_stdin call that waits until it fails.",
    prompt: "Check the greeting",
    replies: [
      { calls: [shell("sleep 2; sh check.sh", { yield_time_ms: 250 })] },
      { calls: [{ tool: "write_stdin", input: { session_id: "{{#session ID ([0-9]+)}}", yield_time_ms: 5000 } }] },
      { say: "It fails." },
    ],
  }),
  codexSession({
    name: "command-never-waited-for",
    shows: "A command that still runs when the turn ends: its item comes after task_complete.",
    prompt: "Check the greeting",
    replies: [{ calls: [shell("sleep 20", { yield_time_ms: 250 })] }, { say: "It takes long." }],
  }),
  codexSession({
    name: "patches",
    shows: "Patches that add, update, move and delete files, one that does not verify, and one through the shell.",
    prompt: "Tidy up",
    replies: [
      { calls: [patch("*** Add File: note.md", "+Loud.")] },
      { calls: [patch("*** Update File: src/greet.py", "@@", '-print("hello")', '+print("HELLO")')] },
      {
        calls: [patch("*** Update File: note.md", "*** Move to: docs/note.md", "@@", "-Loud.", "+Very loud.")],
      },
      { calls: [patch("*** Update File: src/greet.py", "@@", '-print("absent")', '+print("present")')] },
      { calls: [patch("*** Delete File: docs/note.md")] },
      {
        calls: [
          shell(
            'apply_patch <<\'EOF\'\n*** Begin Patch\n*** Update File: src/greet.py\n@@\n-print("HELLO")\n+print("HELLO!")\n*** End Patch\nEOF\n',
          ),
        ],
      },
      { say: "Tidy." },
    ],
  }),
  codexSession({
    name: "call-errors",
    shows: "Calls that never ran: arguments that do not parse, and a tool that does not exist.",
    prompt: "Check the greeting",
    replies: [
      { calls: [{ tool: "exec_command", input: { command: "sh check.sh" } }] },
      { calls: [{ tool: "sing", input: { song: "loud" } }] },
      { say: "Nothing ran." },
    ],
  }),
];

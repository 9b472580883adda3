import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { extractToolCallsCurrentTurnSync } from "../../extract-tool-calls-current-turn.ts";
import { type TestFolder, copyRecordings } from "../../testing/copy-recordings.ts";
import { summarise } from "../../testing/summarise.ts";
import { digest } from "../../turn/find-turns.ts";

const GREET = "/home/dev/project/src/greet.py";

const wholeTurn = [
  `read ${GREET}: ok`,
  "shell sh check.sh: failed 3",
  `edit ${GREET}: ok`,
  "shell python3 src/greet.py: ok 0",
  "shell sh check.sh: ok 0",
];

const cases = [
  { recording: "blocked-once-then-finished", prompt: "Make the greeting loud", calls: wholeTurn },
  { recording: "blocked-once-then-finished-2.1.120", prompt: "Make the greeting loud", calls: wholeTurn },
  { recording: "blocked-once-then-finished-2.1.50", prompt: "Make the greeting loud", calls: wholeTurn },
  { recording: "blocked-once-then-finished-2.0.77", prompt: "Make the greeting loud", calls: wholeTurn },
  {
    // 1.0 does not tell exit codes, and its hook feedback is no meta line.
    recording: "blocked-once-then-finished-1.0.128",
    prompt: "Make the greeting loud",
    calls: wholeTurn.with(1, "shell sh check.sh: failed"),
  },
  {
    // A hook denied the first edit before it ran.
    recording: "edit-denied-once",
    prompt: "Make the greeting loud",
    calls: [`read ${GREET}: ok`, `edit ${GREET}: failed`, "shell python3 src/greet.py: ok 0", `edit ${GREET}: ok`],
  },
  {
    recording: "parallel-calls",
    prompt: "Check the greeting in three ways",
    calls: ["shell sleep 1; echo slow: ok 0", "shell sh check.sh: failed 3", "shell echo quick: ok 0"],
  },
  {
    recording: "tool-use-errors",
    prompt: "Write a note",
    calls: [
      `read ${GREET}: ok`,
      `edit ${GREET}: failed`,
      "other Sing: failed",
      "read /home/dev/project/missing.py: failed",
      "write /home/dev/project/note.md: ok",
    ],
  },
  {
    recording: "file-changed-by-bash",
    prompt: "Make the greeting loud",
    calls: [`shell sed -i s/hello/HELLO/ src/greet.py ${GREET}: ok 0`],
  },
  {
    recording: "interrupted",
    prompt: "Check the greeting",
    calls: ["shell python3 src/greet.py: ok 0", "shell python3 -c 'import time; time.sleep(30)': rejected"],
  },
  { recording: "rejected-call", prompt: "Leave it", calls: [] },
  { recording: "rejected-call-with-reason", prompt: "Check the greeting", calls: ["shell rm -rf src: rejected"] },
  { recording: "api-error", prompt: "Check the greeting", calls: ["shell sh check.sh: failed 3"] },
  {
    recording: "slash-command",
    prompt:
      "<command-message>loud</command-message>\n<command-name>/loud</command-name>\n<command-args>twice</command-args>",
    calls: ["shell sh check.sh: failed 3"],
  },
  {
    recording: "skill",
    prompt:
      "<command-message>loud</command-message>\n<command-name>/loud</command-name>\n<command-args>now</command-args>",
    calls: ["other Skill: ok", "shell sh check.sh: failed 3"],
  },
  {
    recording: "goal-command",
    prompt: [
      "<command-name>/goal</command-name>",
      "            <command-message>goal</command-message>",
      "            <command-args>the greeting is checked</command-args>",
    ].join("\n"),
    calls: ["shell sh check.sh: failed 3"],
  },
  {
    recording: "queued-prompt",
    prompt: "Check the greeting",
    calls: ["shell sleep 3; sh check.sh: failed 3", "shell python3 src/greet.py: ok 0"],
  },
  {
    recording: "queued-prompt-2.0.77",
    prompt: "Check the greeting",
    calls: ["shell sleep 3; sh check.sh: failed 3", "shell python3 src/greet.py: ok 0"],
  },
  {
    recording: "queued-prompt-1.0.128",
    prompt: "Check the greeting",
    calls: ["shell sleep 3; sh check.sh: failed", "shell python3 src/greet.py: ok 0"],
  },
  {
    recording: "queued-prompts-taken-back",
    prompt: "Check the greeting",
    calls: ["shell sleep 4; sh check.sh: failed 3"],
  },
  { recording: "queued-while-answering", prompt: "What does it say?", calls: ["shell python3 src/greet.py: ok 0"] },
  { recording: "continued-session", prompt: "What does it say?", calls: ["shell python3 src/greet.py: ok 0"] },
  {
    recording: "sub-agent",
    prompt: "Have somebody make the greeting loud",
    calls: [
      "agent Agent: ok",
      "> shell sh check.sh: failed 3",
      `> read ${GREET}: ok`,
      `> edit ${GREET}: ok`,
      "> shell sh check.sh: ok 0",
    ],
  },
  {
    recording: "sub-agent-in-background",
    prompt: "Have somebody make the greeting loud",
    calls: [
      "agent Agent: ok",
      "> shell python3 -c 'import time; time.sleep(1)': ok 0",
      "> shell sh check.sh: failed 3",
      `> read ${GREET}: ok`,
      `> edit ${GREET}: ok`,
      "> shell sh check.sh: ok 0",
    ],
  },
  {
    recording: "sub-agent-blocked",
    prompt: "Have somebody check the greeting",
    calls: ["agent Agent: ok", "> shell sh check.sh: failed 3", "> shell python3 src/greet.py: ok 0"],
  },
  {
    recording: "sub-agent-2.1.50",
    prompt: "Have somebody check the greeting",
    calls: ["agent Task: ok", "> shell sh check.sh: failed 3"],
  },
  {
    recording: "sub-agent-2.0.77",
    prompt: "Have somebody check the greeting",
    calls: ["agent Task: ok", "> shell sh check.sh: failed 3"],
  },
  {
    recording: "sub-agent-1.0.128",
    prompt: "Have somebody check the greeting",
    calls: ["agent Task: ok", "> shell sh check.sh: failed"],
  },
  {
    recording: "task-notification",
    prompt: "Check the greeting in the background",
    calls: ["shell sleep 2; sh check.sh: failed 3", "shell python3 src/greet.py: ok 0"],
  },
  {
    recording: "background-ends-in-the-turn",
    prompt: "Check the greeting in the background",
    calls: [
      "shell sh -c 'sleep 0.3; exit 0': ok 0",
      "shell sh -c 'sleep 0.3; exit 4': failed 4",
      "shell python3 -c 'import time; time.sleep(2)': ok 0",
      "shell python3 src/greet.py: ok 0",
    ],
  },
  {
    recording: "background-output-2.0.77",
    prompt: "Check the greeting in the background",
    calls: ["shell sh check.sh: failed 3", "other TaskOutput: ok"],
  },
  {
    recording: "timed-out-call",
    prompt: "Check the greeting",
    calls: ["shell python3 -c 'import time; time.sleep(3)': ok 0"],
  },
  { recording: "compacted-by-hand", prompt: "What does it say?", calls: ["shell python3 src/greet.py: ok 0"] },
  {
    recording: "compacted-in-the-turn",
    prompt: "Check the greeting",
    calls: ["shell sh check.sh: failed 3", "shell python3 src/greet.py: ok 0"],
  },
];

let folder: TestFolder;
beforeAll(() => {
  folder = copyRecordings("claude");
});
afterAll(() => folder.remove());

test("every recording has its row", () => {
  const rows = new Set(cases.map(({ recording }) => `${recording}.jsonl`));
  const recorded = readdirSync(folder.path).filter((name) => /^(?!agent-).*\.jsonl$/.test(name));
  expect(recorded.filter((name) => !rows.has(name))).toEqual([]);
});

test.for(cases)("$recording", ({ recording, prompt, calls }) => {
  const timeline = extractToolCallsCurrentTurnSync(join(folder.path, `${recording}.jsonl`), "claude");
  expect(timeline.toolCalls.map((call) => summarise(call))).toEqual(calls);
  expect(timeline).toMatchObject({
    hasData: true,
    isWhole: true,
    skippedLines: 0,
    prompt: { digest: digest(prompt), timestamp: expect.any(Date) },
  });
});

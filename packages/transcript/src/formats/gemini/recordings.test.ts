import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { extractToolCallsCurrentTurnSync } from "../../extract-tool-calls-current-turn.ts";
import { type TestFolder, copyRecordings } from "../../testing/copy-recordings.ts";
import { summarise } from "../../testing/summarise.ts";
import { digest } from "../../turn/find-turns.ts";
import type { TurnHints } from "../../types.ts";

interface Case {
  readonly recording: string;
  readonly hints?: TurnHints;
  readonly prompt: string;
  readonly calls: readonly string[];
}

/** What the recorded hook said when it denied the stop. */
const OWN: TurnHints = { ownMessages: ["Run the check again"] };

const wholeTurn = [
  "read src/greet.py: ok",
  "shell sh check.sh: failed 3",
  "edit src/greet.py: ok",
  "shell python3 src/greet.py: ok 0",
  "shell sh check.sh: ok 0",
];

const cases: readonly Case[] = [
  { recording: "denied-once-then-finished.jsonl", hints: OWN, prompt: "Make the greeting loud", calls: wholeTurn },
  {
    recording: "denied-once-then-finished-0.43.0.jsonl",
    hints: OWN,
    prompt: "Make the greeting loud",
    calls: wholeTurn,
  },
  {
    recording: "denied-once-then-finished-0.38.2.json",
    hints: OWN,
    prompt: "Make the greeting loud",
    calls: wholeTurn,
  },
  {
    // A hook denied the first edit before it ran.
    recording: "edit-denied-once.jsonl",
    prompt: "Make the greeting loud",
    calls: [
      "read src/greet.py: ok",
      "edit src/greet.py: failed",
      "shell python3 src/greet.py: ok 0",
      "edit src/greet.py: ok",
    ],
  },
  {
    // The hook tells the human's prompt, so that nobody's deny reason is taken for it.
    recording: "denied-once-then-finished.jsonl",
    hints: { promptText: "Make the greeting loud" },
    prompt: "Make the greeting loud",
    calls: wholeTurn,
  },
  {
    recording: "denied-once-then-finished-0.38.2.json",
    hints: { promptText: "Make the greeting loud" },
    prompt: "Make the greeting loud",
    calls: wholeTurn,
  },
  {
    // A prompt that is nowhere in the file is no reason to find none.
    recording: "two-prompts.jsonl",
    hints: { ...OWN, promptText: "Something else" },
    prompt: "Run the program",
    calls: ["shell python3 src/greet.py: ok 0", "shell sh check.sh: failed 3"],
  },
  {
    recording: "denied-then-only-text.jsonl",
    hints: OWN,
    prompt: "Check the greeting",
    calls: ["shell sh check.sh: failed 3"],
  },
  {
    recording: "compressed-before-the-retry.jsonl",
    hints: OWN,
    prompt: "Check the greeting",
    calls: ["shell sh check.sh: failed 3", "shell python3 src/greet.py: ok 0"],
  },
  {
    recording: "hook-context.jsonl",
    hints: { promptText: "Check the greeting" },
    prompt: "<hook_context>Be brief.</hook_context>\n\nCheck the greeting",
    calls: ["shell sh check.sh: failed 3"],
  },
  {
    recording: "parallel-calls.jsonl",
    prompt: "Check the greeting in three ways",
    calls: ["shell sleep 1; echo slow: ok 0", "shell sh check.sh: failed 3", "shell echo quick: ok 0"],
  },
  {
    recording: "shell-trailers.jsonl",
    prompt: "Check the greeting",
    calls: [
      "shell kill -9 $$: failed",
      "shell sleep 1: unknown",
      "shell echo 'Exit Code: 0'; exit 3: failed 3",
      "shell sh check.sh | cat: ok 0",
    ],
  },
  {
    recording: "call-errors.jsonl",
    prompt: "Write a note",
    calls: ["read missing.py: failed", "edit src/greet.py: failed", "other sing: failed", "write note.md: ok"],
  },
  {
    recording: "interrupted.jsonl",
    prompt: "Check the greeting",
    calls: ["shell sh check.sh: failed 3", "shell sleep 30: rejected"],
  },
  { recording: "rejected-call.jsonl", prompt: "Check the greeting", calls: ["shell rm -rf src: rejected"] },
  {
    recording: "sub-agent.jsonl",
    prompt: "Have somebody check the greeting",
    calls: [
      "agent invoke_agent: ok",
      "> shell sh check.sh: failed 3",
      "> shell python3 src/greet.py: ok 0",
      "> other complete_task: ok",
    ],
  },
  { recording: "resumed-session.jsonl", prompt: "Run the program", calls: ["shell python3 src/greet.py: ok 0"] },
  {
    recording: "resumed-in-the-same-minute.jsonl",
    prompt: "Run the program",
    calls: ["shell python3 src/greet.py: ok 0"],
  },
  {
    recording: "two-prompts.jsonl",
    hints: OWN,
    prompt: "Run the program",
    calls: ["shell python3 src/greet.py: ok 0", "shell sh check.sh: failed 3"],
  },
  { recording: "rewound-session.jsonl", prompt: "Show the program", calls: ["shell cat src/greet.py: ok 0"] },
];

let folder: TestFolder;
beforeAll(() => {
  folder = copyRecordings("gemini");
});
afterAll(() => folder.remove());

test("every recording has its row", () => {
  const rows = new Set(cases.map(({ recording }) => recording));
  expect(readdirSync(folder.path).filter((name) => /\.jsonl?$/.test(name) && !rows.has(name))).toEqual([]);
});

test.for(cases)("$recording, knowing $hints", ({ recording, hints, prompt, calls }) => {
  const timeline = extractToolCallsCurrentTurnSync(join(folder.path, recording), "gemini", hints);
  expect(timeline.toolCalls.map((call) => summarise(call))).toEqual(calls);
  expect(timeline).toMatchObject({
    hasData: true,
    isWhole: true,
    skippedLines: 0,
    prompt: { digest: digest(prompt), timestamp: expect.any(Date), id: expect.any(String) },
  });
});

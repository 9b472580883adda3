import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
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

const wholeTurn = [
  "shell sh check.sh: failed 3",
  "edit src/greet.py: ok",
  "shell python3 src/greet.py: ok 0",
  "shell sh check.sh: ok 0",
];

const cases: readonly Case[] = [
  { recording: "blocked-once-then-finished", prompt: "Make the greeting loud", calls: wholeTurn },
  { recording: "blocked-once-then-finished-0.146.0", prompt: "Make the greeting loud", calls: wholeTurn },
  { recording: "blocked-once-then-finished-0.125.0", prompt: "Make the greeting loud", calls: wholeTurn },
  {
    // A hook denied the first patch before it ran.
    recording: "edit-denied-once",
    prompt: "Make the greeting loud",
    calls: ["shell sh check.sh: failed 3", "edit src/greet.py: failed", "edit src/greet.py: ok"],
  },
  {
    recording: "parallel-calls",
    prompt: "Check the greeting in three ways",
    calls: ["shell sleep 1; echo slow: ok 0", "shell sh check.sh: failed 3", "shell echo quick: ok 0"],
  },
  {
    recording: "command-still-running",
    prompt: "Check the greeting",
    calls: ["shell sleep 2; sh check.sh: failed 3", "shell sleep 2; sh check.sh: failed 3"],
  },
  { recording: "command-never-waited-for", prompt: "Check the greeting", calls: ["shell sleep 20: unknown"] },
  {
    recording: "patches",
    prompt: "Tidy up",
    calls: [
      "write note.md: ok",
      "edit src/greet.py: ok",
      "edit note.md docs/note.md: ok",
      "edit src/greet.py: failed",
      "edit docs/note.md: ok",
      "edit src/greet.py: ok",
    ],
  },
  {
    recording: "call-errors",
    prompt: "Check the greeting",
    calls: ["shell sh check.sh: failed", "other sing: failed"],
  },
  {
    recording: "code-mode",
    prompt: "Make the greeting loud",
    calls: [
      "other exec: ok",
      "shell python3 src/greet.py: ok 0",
      "shell sh check.sh: failed 3",
      "other exec: ok",
      "edit /home/dev/project/src/greet.py: ok",
    ],
  },
  {
    recording: "code-mode-failures",
    prompt: "Check the greeting",
    calls: [
      "other exec: failed",
      "shell echo quick: ok 0",
      "other exec: failed",
      "other exec: unknown",
      "other wait: ok",
      "shell sleep 2; sh check.sh: failed 3",
    ],
  },
  {
    recording: "interrupted",
    prompt: "Check the greeting",
    calls: ["shell sh check.sh: failed 3", "shell sleep 30: rejected"],
  },
  { recording: "declined-approval", prompt: "Check the greeting", calls: ["shell rm -rf src: rejected"] },
  { recording: "steered-turn", prompt: "And run the program too", calls: ["shell python3 src/greet.py: ok 0"] },
  {
    // The hook names the turn, which began with the first message.
    recording: "steered-turn",
    hints: { promptId: "b3fb61b0-0000-7000-8000-000000000004" },
    prompt: "Check the greeting",
    calls: ["shell sleep 6; sh check.sh: failed 3", "shell python3 src/greet.py: ok 0"],
  },
  {
    recording: "blocked-at-the-screen",
    prompt: "Run the program",
    calls: ["shell python3 src/greet.py: ok 0", "shell sh check.sh: failed 3"],
  },
  {
    // Nothing tells how a script's commands ended: that they ran is all there is.
    recording: "code-mode-0.146.0",
    prompt: "Check the greeting",
    calls: ["other exec: ok", "shell sh check.sh: unknown"],
  },
  { recording: "queued-from-outside", prompt: "Run the program", calls: ["shell python3 src/greet.py: ok 0"] },
  {
    // What we had delivered ourselves is no prompt.
    recording: "queued-from-outside",
    hints: { ownMessages: ["Run the program"] },
    prompt: "Check the greeting",
    calls: ["shell sh check.sh: failed 3", "shell python3 src/greet.py: ok 0"],
  },
  { recording: "compacted-by-hand", prompt: "Run the program", calls: ["shell python3 src/greet.py: ok 0"] },
  {
    recording: "compacted-in-the-turn",
    prompt: "Check the greeting",
    calls: ["shell sh check.sh: failed 3", "shell python3 src/greet.py: ok 0"],
  },
  { recording: "shell-calls-0.45.0", prompt: "Make the greeting loud", calls: wholeTurn.slice(0, 3) },
  { recording: "shell-calls-0.20.0", prompt: "Make the greeting loud", calls: wholeTurn.slice(0, 3) },
  {
    recording: "sub-agent-0.125.0",
    prompt: "Have somebody check the greeting",
    calls: ["agent spawn_agent: ok", "> shell sh check.sh: failed 3", "other wait_agent: ok"],
  },
  { recording: "resumed-session", prompt: "Run the program", calls: ["shell python3 src/greet.py: ok 0"] },
  { recording: "api-error", prompt: "Check the greeting", calls: ["shell sh check.sh: failed 3"] },
  {
    recording: "sub-agent",
    prompt: "Have somebody check the greeting",
    calls: ["agent spawn_agent: ok", "> other exec: ok", "> shell sh check.sh: failed 3", "other wait_agent: ok"],
  },
];

let folder: TestFolder;
beforeAll(() => {
  folder = copyRecordings("codex");
});
afterAll(() => folder.remove());

/** A session with sub-agents keeps the folders of Codex; its own rollout is the first. */
const pathOf = (recording: string): string => {
  const plain = join(folder.path, `${recording}.jsonl`);
  if (existsSync(plain)) return plain;
  const files = readdirSync(join(folder.path, recording), { recursive: true, encoding: "utf8" });
  return join(folder.path, recording, files.filter((file) => file.endsWith(".jsonl")).toSorted()[0] ?? "");
};

test("every recording has its row", () => {
  const recorded = readdirSync(folder.path).filter((name) => name !== "README.md");
  const rows = new Set(cases.map(({ recording }) => recording));
  expect(recorded.map((name) => basename(name, ".jsonl")).filter((name) => !rows.has(name))).toEqual([]);
});

test.for(cases)("$recording, knowing $hints", ({ recording, hints, prompt, calls }) => {
  const timeline = extractToolCallsCurrentTurnSync(pathOf(recording), "codex", hints);
  expect(timeline.toolCalls.map((call) => summarise(call))).toEqual(calls);
  expect(timeline).toMatchObject({
    hasData: true,
    isWhole: true,
    skippedLines: 0,
    prompt: { digest: digest(prompt) },
  });
});

/** A torn line that is passed over is counted, so the count tells how far back the reading went. */
const readingStops = [
  { recording: "blocked-once-then-finished", before: "UserMessage" },
  { recording: "blocked-once-then-finished-0.125.0", before: '"type":"session_meta"' },
  { recording: "shell-calls-0.45.0", before: '"type":"session_meta"' },
];

test.for(readingStops)("reading $recording goes back no further than it must", ({ recording, before }) => {
  const lines = readFileSync(pathOf(recording), "utf8").trimEnd().split("\n");
  const work = lines.findLast((line) => line.includes('_call_output"')) ?? "";
  const at = lines.findIndex((line) => line.includes(before));
  const path = join(folder.path, "changed.jsonl");
  writeFileSync(path, ["{ torn", work, ...lines].toSpliced(at + 1, 0, "{ torn", work).join("\n"));
  expect(extractToolCallsCurrentTurnSync(path, "codex")).toMatchObject({ prompt: expect.any(Object), skippedLines: 0 });
});

const generations = [
  { recording: "blocked-once-then-finished", id: "2bec03f2-0000-7000-8000-000000000004", timestamp: expect.any(Date) },
  {
    recording: "blocked-once-then-finished-0.125.0",
    id: "65a83913-0000-7000-8000-000000000003",
    timestamp: expect.any(Date),
  },
  { recording: "shell-calls-0.45.0", id: null, timestamp: expect.any(Date) },
  { recording: "shell-calls-0.20.0", id: null, timestamp: null },
];

test.for(generations)("the turn's id and time in $recording", ({ recording, id, timestamp }) => {
  expect(extractToolCallsCurrentTurnSync(pathOf(recording), "codex")).toMatchObject({ prompt: { id, timestamp } });
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentName } from "./formats/agent-names.ts";
import { extractToolCallsBetween } from "./extract-tool-calls-between.ts";
import { type TestFolder, copyRecordings } from "./testing/copy-recordings.ts";
import { summarise } from "./testing/summarise.ts";
import type { TranscriptRange } from "./types.ts";

const folders = new Map<AgentName, TestFolder>();
beforeAll(() => {
  folders.set("claude", copyRecordings("claude"));
  folders.set("gemini", copyRecordings("gemini"));
});
afterAll(() => folders.forEach((folder) => folder.remove()));

const pathOf = (agent: AgentName, recording: string): string => join(folders.get(agent)?.path ?? "", recording);

const between = (agent: AgentName, recording: string, range: TranscriptRange): readonly string[] =>
  extractToolCallsBetween(pathOf(agent, recording), agent, range).map((call) => summarise(call));

const sizeOf = (agent: AgentName, recording: string): number => readFileSync(pathOf(agent, recording)).length;

/** Where the line that holds a text starts. */
const startOf = (agent: AgentName, recording: string, text: string): number => {
  const bytes = readFileSync(pathOf(agent, recording));
  return bytes.lastIndexOf("\n", bytes.indexOf(text)) + 1;
};

const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER };

test("gives the calls of all turns", () => {
  expect(between("claude", "continued-session.jsonl", ALL)).toEqual([
    "shell sh check.sh: failed 3",
    "shell python3 src/greet.py: ok 0",
  ]);
});

test("gives nothing for a file that is not there, and for an empty range", () => {
  expect(between("claude", "nothing.jsonl", ALL)).toEqual([]);
  expect(between("claude", "continued-session.jsonl", { from: 5, to: 5 })).toEqual([]);
  expect(between("claude", "continued-session.jsonl", { from: 1e9, to: 2e9 })).toEqual([]);
});

test("gives a call in the range with a result beyond it", () => {
  const recording = "continued-session.jsonl";
  const to = startOf("claude", recording, '"type":"tool_result"');
  expect(between("claude", recording, { from: 0, to })).toEqual(["shell sh check.sh: failed 3"]);
});

test("gives a sub-agent's calls in the part of the session in which it ran", () => {
  const recording = "sub-agent-in-background.jsonl";
  const second = startOf("claude", recording, '"content":"Have somebody make the greeting loud"}');
  expect(between("claude", recording, { from: 0, to: second })).toEqual(["shell python3 src/greet.py: ok 0"]);
  expect(between("claude", recording, { from: second, to: sizeOf("claude", recording) })).toEqual([
    "agent Agent: ok",
    "> shell python3 -c 'import time; time.sleep(1)': ok 0",
    "> shell sh check.sh: failed 3",
    "> read /home/dev/project/src/greet.py: ok",
    "> edit /home/dev/project/src/greet.py: ok",
    "> shell sh check.sh: ok 0",
  ]);
});

test("what a sub-agent does after the range's last line is of the range only where the file ends with it", () => {
  const recording = "sub-agent-in-background.jsonl";
  const path = pathOf("claude", recording);
  const whole = readFileSync(path);
  const from = startOf("claude", recording, '"content":"Have somebody make the greeting loud"}');
  const to = startOf("claude", recording, "<task-notification>");
  const goneOn = between("claude", recording, { from, to });
  writeFileSync(path, whole.subarray(0, to));
  const ended = between("claude", recording, { from, to });
  writeFileSync(path, whole);
  expect(goneOn.length).toBeLessThan(ended.length);
  expect(ended).toHaveLength(6);
});

describe.for([
  { agent: "claude", recording: "blocked-once-then-finished.jsonl" },
  { agent: "gemini", recording: "call-errors.jsonl" },
] as const)("a ledger of $agent's $recording", ({ agent, recording }) => {
  test("misses no call, wherever the file ended when it was looked at", () => {
    const path = pathOf(agent, recording);
    const whole = readFileSync(path);
    const all = between(agent, recording, ALL);
    for (let cut = 1; cut < whole.length; cut += 97) {
      writeFileSync(path, whole.subarray(0, cut));
      const before = extractToolCallsBetween(path, agent, { from: 0, to: cut });
      writeFileSync(path, whole);
      const after = extractToolCallsBetween(path, agent, { from: cut, to: whole.length });
      const ids = new Set([...before, ...after].map(({ id }) => id));
      expect(ids.size).toBe(all.length);
    }
  });
});

describe.for(["sub-agent.jsonl", "sub-agent-in-background.jsonl"])(
  "a session with a sub-agent, cut between any two lines: %s",
  (recording) => {
    const idsIn = (range: TranscriptRange): readonly string[] =>
      extractToolCallsBetween(pathOf("claude", recording), "claude", range).map(({ id }) => id);

    test("each call is in one part and in no other", () => {
      const whole = readFileSync(pathOf("claude", recording));
      const all = idsIn(ALL);
      expect(all.length).toBeGreaterThan(4);
      const parts = new Set<number>();
      for (let cut = whole.indexOf("\n") + 1; cut < whole.length; cut = whole.indexOf("\n", cut) + 1) {
        const [before, after] = [idsIn({ from: 0, to: cut }), idsIn({ from: cut, to: whole.length })];
        expect([...before, ...after].toSorted()).toEqual(all.toSorted());
        parts.add(before.length);
      }
      expect(parts.size).toBeGreaterThan(2);
    });
  },
);

test("a ledger of a whole-file transcript misses no message, although the file's end is written anew", () => {
  const path = pathOf("gemini", "denied-once-then-finished-0.38.2.json");
  const whole = readFileSync(path, "utf8");
  const session: { messages: unknown[] } = JSON.parse(whole);
  const seen = new Set<string>();
  let from = 0;
  for (let count = 1; count <= session.messages.length; count += 1) {
    const text = JSON.stringify({ ...session, messages: session.messages.slice(0, count) }, null, 2);
    writeFileSync(path, text);
    for (const { id } of extractToolCallsBetween(path, "gemini", { from, to: text.length })) seen.add(id);
    from = text.length;
  }
  writeFileSync(path, whole);
  expect(seen.size).toBe(5);
});

describe("where a range begins", () => {
  const recording = "continued-session.jsonl";
  const second = () => startOf("claude", recording, '"command":"python3 src/greet.py"');

  test("with a line: the one before it was seen already", () => {
    const first = startOf("claude", recording, '"command":"sh check.sh"');
    expect(between("claude", recording, { ...ALL, from: second() })).toEqual(["shell python3 src/greet.py: ok 0"]);
    expect(between("claude", recording, { ...ALL, from: first })).toEqual(between("claude", recording, ALL));
  });

  test("in a line, which was torn when the caller looked last: with all of it", () => {
    expect(between("claude", recording, { ...ALL, from: second() + 20 })).toEqual(["shell python3 src/greet.py: ok 0"]);
  });

  test("before the file: with the file", () => {
    expect(between("claude", recording, { ...ALL, from: -5 })).toEqual(between("claude", recording, ALL));
  });
});

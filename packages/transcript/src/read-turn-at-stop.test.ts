import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AGENT_NAMES, type AgentName } from "./formats/agent-names.ts";
import { extractToolCallsCurrentTurnSync } from "./extract-tool-calls-current-turn.ts";
import { readTurnAtStop } from "./read-turn-at-stop.ts";
import { type TestFolder, copyRecordings, newFolder } from "./testing/copy-recordings.ts";
import { summarise } from "./testing/summarise.ts";
import type { TranscriptRange } from "./types.ts";

const folders = new Map<AgentName, TestFolder>();
let own: TestFolder;
beforeAll(() => {
  for (const agent of AGENT_NAMES) folders.set(agent, copyRecordings(agent));
  own = newFolder();
});
afterAll(() => [own, ...folders.values()].forEach((folder) => folder.remove()));

const pathOf = (agent: AgentName, recording: string): string => join(folders.get(agent)?.path ?? "", recording);

/** Where the line that holds a text starts. */
const startOf = (path: string, text: string): number => {
  const bytes = readFileSync(path);
  return bytes.lastIndexOf("\n", bytes.indexOf(text)) + 1;
};

const callsOf = (agent: AgentName, path: string, range: TranscriptRange): readonly string[] => {
  const turn = readTurnAtStop(path, agent, range);
  return turn.status === "read" ? turn.toolCalls.map((call) => summarise(call)) : [];
};

describe("what was written after the stop does not count", () => {
  test("the result of a call", () => {
    const path = pathOf("claude", "continued-session.jsonl");
    const range = {
      from: startOf(path, '"role":"user","content":"Check the greeting"'),
      to: startOf(path, '"type":"tool_result"'),
    };
    expect(callsOf("claude", path, range)).toEqual(["shell sh check.sh: no result"]);
    expect(callsOf("claude", path, { ...range, to: readFileSync(path).length })).toEqual([
      "shell sh check.sh: failed 3",
      "shell python3 src/greet.py: ok 0",
    ]);
  });

  test("the end of a task in the background", () => {
    const path = pathOf("claude", "task-notification.jsonl");
    const range = {
      from: startOf(path, '"role":"user","content":"Check the greeting in the background"'),
      to: startOf(path, "<task-notification>"),
    };
    expect(callsOf("claude", path, range)).toEqual(["shell sleep 2; sh check.sh: unknown"]);
  });

  test("a sub-agent's further calls", () => {
    const path = pathOf("claude", "sub-agent-in-background.jsonl");
    const from = startOf(path, '"content":"Have somebody make the greeting loud"}');
    const to = startOf(path, "<task-notification>");
    const then = callsOf("claude", path, { from, to });
    const whole = callsOf("claude", path, { from, to: readFileSync(path).length });
    expect(then[0]).toBe("agent Agent: ok");
    expect(then.length).toBeLessThan(whole.length);
    expect(whole.slice(0, then.length)).toEqual(then);
  });

  test("another turn", () => {
    const path = join(own.path, "later.jsonl");
    const recorded = readFileSync(pathOf("codex", "blocked-once-then-finished.jsonl"));
    writeFileSync(path, recorded);
    const timeline = extractToolCallsCurrentTurnSync(path, "codex");
    appendFileSync(path, readFileSync(pathOf("codex", "resumed-session.jsonl")));
    const range = { from: startOf(path, '"UserMessage"'), to: recorded.length };
    expect(readTurnAtStop(path, "codex", range)).toEqual({
      status: "read",
      promptText: "Make the greeting loud",
      toolCalls: timeline.toolCalls,
    });
  });

  test("a message of a transcript that is one object", () => {
    const path = pathOf("gemini", "denied-once-then-finished-0.38.2.json");
    const bytes = readFileSync(path);
    const startOfMessage = (text: string): number => bytes.lastIndexOf('{\n      "id"', bytes.indexOf(text));
    const range = { from: startOfMessage("Make the greeting loud"), to: startOfMessage("Run the check again") };
    const then = callsOf("gemini", path, range);
    expect(then).toHaveLength(4);
    expect(callsOf("gemini", path, { ...range, to: bytes.length })).toEqual([...then, "shell sh check.sh: ok 0"]);
  });
});

const CLAUDE = "continued-session.jsonl";

test("a place that is no prompt has no words", () => {
  const path = pathOf("claude", CLAUDE);
  const { length: to } = readFileSync(path);
  expect(readTurnAtStop(path, "claude", { from: to, to })).toEqual({ status: "read", promptText: null, toolCalls: [] });
  const rollout = pathOf("codex", "resumed-session.jsonl");
  expect(readTurnAtStop(rollout, "codex", { from: 0, to: readFileSync(rollout).length })).toMatchObject({
    status: "read",
    promptText: null,
  });
});

test("a file that is not there is missing", () => {
  const path = join(own.path, "nothing.jsonl");
  expect(readTurnAtStop(path, "claude", { from: 0, to: 1 })).toEqual({ status: "refused", reason: "missing" });
});

test("a file that has become shorter is not the one of then", () => {
  const path = pathOf("claude", CLAUDE);
  const whole = readFileSync(path);
  truncateSync(path, whole.length - 1);
  const turn = readTurnAtStop(path, "claude", { from: 0, to: whole.length });
  writeFileSync(path, whole);
  expect(turn).toEqual({ status: "refused", reason: "shortened" });
});

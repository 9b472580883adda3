import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AGENT_NAMES, type AgentName } from "./formats/agent-names.ts";
import { readAfterStop } from "./read-after-stop.ts";
import { copyRecordings, type TestFolder } from "./testing/copy-recordings.ts";

const folders = new Map<AgentName, TestFolder>();
beforeAll(() => AGENT_NAMES.forEach((agent) => folders.set(agent, copyRecordings(agent))));
afterAll(() => folders.forEach((folder) => folder.remove()));

const recordings = [
  { agent: "claude", recording: "blocked-once-then-finished.jsonl", tokens: 200 },
  { agent: "gemini", recording: "denied-once-then-finished.jsonl", tokens: 200 },
  { agent: "gemini", recording: "denied-once-then-finished-0.38.2.json", tokens: 200 },
  { agent: "codex", recording: "blocked-once-then-finished.jsonl", tokens: 300 },
] as const;
test.for(recordings)("$agent, $recording: what was said after the stop", ({ agent, recording, tokens }) => {
  const path = join(folders.get(agent)?.path ?? "", recording);
  const bytes = readFileSync(path);
  const whole = readAfterStop(path, agent, { from: 0, to: bytes.length });
  expect(whole.replies.join("\n")).toMatch(/is loud now[^]*The check passes/);
  // The agent stopped where its first reply ends.
  const end = path.endsWith(".json") ? "\n    }" : "\n";
  const stop = bytes.indexOf(end, bytes.lastIndexOf("is loud now")) + end.length;
  const after = readAfterStop(path, agent, { from: stop, to: bytes.length });
  expect(after.replies.join("\n")).toContain("The check passes");
  expect(after.replies.join("\n")).not.toContain("is loud now");
  expect(after.tokens).toBe(tokens);
});

test("nothing is known where there is no transcript", () => {
  expect(readAfterStop("/nowhere.jsonl", "claude", { from: 0, to: 9 })).toEqual({ replies: [], tokens: null });
});

import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { readUsage, type UsageSources, writeBridge } from "./read-usage.ts";

const home = mkdtempSync(join(tmpdir(), "checkpoint-usage-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const recording = (name: string) => fileURLToPath(new URL(`../../../transcript/fixtures/${name}`, import.meta.url));
const stop = JSON.parse(
  readFileSync(new URL("../../../../fixtures/hook-events/claude/stop-first.json", import.meta.url), "utf8"),
) as object;

const now = new Date("2026-11-16T12:00:00Z");
const nothing: UsageSources = {
  agent: "claude",
  sessionId: "2bec03f2-0000-4000-8000-000000000002",
  transcriptPath: null,
  payload: stop,
  home,
  now,
  contextWindow: null,
  env: {},
};

/** A transcript of Claude Code whose last answer used that many tokens. */
function claudeTranscript(tokens: number, model = "claude-sonnet-4-5"): string {
  const path = join(home, `claude-${tokens}-${model}.jsonl`);
  const usage = { input_tokens: 1, cache_read_input_tokens: tokens - 2, output_tokens: 1 };
  const line = { type: "assistant", sessionId: "s", message: { role: "assistant", model, usage, content: [] } };
  writeFileSync(path, `${JSON.stringify(line)}\n`);
  return path;
}

test("the payload of a real stop has no usage, and without another source nobody knows", () => {
  expect(readUsage(nothing)).toEqual({ percent: null, isCompacted: false, why: "missing" });
});

const payloads = [
  { payload: { context_window: { used_percentage: 43 } }, usage: { percent: 43, tokens: null, window: null } },
  {
    payload: {
      context_window: { used_percentage: 8, context_window_size: 200_000, current_usage: { input_tokens: 16_000 } },
    },
    usage: { percent: 8, tokens: 16_000, window: 200_000 },
  },
  {
    payload: {
      context_window: {
        context_window_size: 200_000,
        current_usage: { input_tokens: 1, cache_read_input_tokens: 99_999 },
      },
    },
    usage: { percent: 50, tokens: 100_000, window: 200_000 },
  },
];
test.for(payloads)("a payload that has it: $usage.percent %", ({ payload, usage }) => {
  const transcriptPath = claudeTranscript(20_000);
  expect(readUsage({ ...nothing, payload, transcriptPath })).toEqual({ ...usage, source: "payload" });
});

test.for([
  { context_window: { used_percentage: "43" } },
  { context_window: { used_percentage: -1 } },
  { context_window: { used_percentage: 4300 } },
  { context_window: { current_usage: null, context_window_size: 200_000 } },
  { context_window: null },
  [],
])("a payload with nonsense counts for nothing: %j", (payload) => {
  expect(readUsage({ ...nothing, payload })).toMatchObject({ percent: null });
});

test("the status line's word comes before the transcript's while it is fresh", () => {
  const sources = { ...nothing, sessionId: "bridged", transcriptPath: claudeTranscript(20_000) };
  expect(readUsage(sources)).toMatchObject({ percent: 10, source: "transcript" });
  writeBridge(home, "bridged", { percent: 44, tokens: 88_000, window: 200_000, at: now });
  expect(readUsage(sources)).toEqual({ percent: 44, tokens: 88_000, window: 200_000, source: "status-line" });
  expect(readUsage({ ...sources, sessionId: "another" })).toMatchObject({ percent: 10 });
  expect(readUsage({ ...sources, now: new Date(now.getTime() + 3_600_000) })).toMatchObject({ percent: 10 });
});

test.for(["", "{", "[]", '{"percent":"44","at":0}', '{"percent":44}'])(
  "a bridge file with %j counts for nothing",
  (text) => {
    writeBridge(home, "spoiled", { percent: 44, tokens: null, window: null, at: now });
    const path = join(home, "statusline", "spoiled.json");
    writeFileSync(path, text);
    utimesSync(path, now, now);
    expect(readUsage({ ...nothing, sessionId: "spoiled" })).toMatchObject({ percent: null });
  },
);

test("a session whose id is a path has no bridge", () => {
  writeBridge(home, "../../escape", { percent: 44, tokens: null, window: null, at: now });
  expect(readUsage({ ...nothing, sessionId: "../../escape" })).toMatchObject({ percent: null });
});

const recorded = [
  { agent: "claude", file: "claude/blocked-once-then-finished.jsonl", contextWindow: 1000, percent: 81 },
  {
    agent: "gemini",
    file: "gemini/denied-once-then-finished.jsonl",
    contextWindow: null,
    percent: (710 / 1_048_576) * 100,
  },
  {
    agent: "codex",
    file: "codex/blocked-once-then-finished-0.125.0.jsonl",
    contextWindow: null,
    percent: (710 / 258_400) * 100,
  },
] as const;
test.for(recorded)("what the real $agent wrote", ({ agent, file, contextWindow, percent }) => {
  expect(readUsage({ ...nothing, agent, transcriptPath: recording(file), contextWindow })).toMatchObject({
    percent,
    source: "transcript",
  });
});

test("a model of unknown size leaves it unknown, unless the config tells", () => {
  const transcriptPath = claudeTranscript(100_000, "claude-opus-9");
  expect(readUsage({ ...nothing, transcriptPath })).toMatchObject({
    percent: null,
    why: "the window of the model claude-opus-9",
  });
  expect(readUsage({ ...nothing, transcriptPath, contextWindow: 400_000 })).toMatchObject({ percent: 25 });
});

const windows = [
  { is: "the model's name", window: {}, percent: 10 },
  { is: "the config, before the name", window: { contextWindow: 400_000 }, percent: 25 },
  {
    is: "a variable that takes the large window away",
    window: { env: { CLAUDE_CODE_DISABLE_1M_CONTEXT: "1" } },
    percent: 50,
  },
  {
    is: "a variable that makes it smaller",
    window: { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "250000" } },
    percent: 40,
  },
  {
    is: "the name, where a variable is nonsense",
    window: { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "x" } },
    percent: 10,
  },
];
test.for(windows)("the window is told by $is", ({ window, percent }) => {
  const transcriptPath = claudeTranscript(100_000, "claude-opus-5-5");
  expect(readUsage({ ...nothing, transcriptPath, ...window })).toMatchObject({ percent });
});

test("a window of no tokens counts as unknown", () => {
  const transcriptPath = join(home, "no-window.jsonl");
  const text = readFileSync(recording("codex/blocked-once-then-finished-0.125.0.jsonl"), "utf8");
  writeFileSync(transcriptPath, text.replaceAll(/"model_context_window":\d+/g, '"model_context_window":0'));
  const sources = { ...nothing, agent: "codex", transcriptPath } as const;
  expect(readUsage(sources)).toMatchObject({ percent: null, why: "the window of the model gpt-5.5" });
  expect(readUsage({ ...sources, contextWindow: 7100 })).toMatchObject({ percent: 10 });
});

test("after a compaction nobody knows, whatever the status line showed before", () => {
  const transcriptPath = join(home, "compacted.jsonl");
  writeFileSync(transcriptPath, `${JSON.stringify({ type: "system", subtype: "compact_boundary", sessionId: "s" })}\n`);
  writeBridge(home, "compacted", { percent: 90, tokens: null, window: null, at: now });
  expect(readUsage({ ...nothing, sessionId: "compacted", transcriptPath })).toMatchObject({
    percent: null,
    isCompacted: true,
  });
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AGENT_NAMES, type AgentName } from "./formats/agent-names.ts";
import { readContextUsage } from "./read-context-usage.ts";
import { type TestFolder, copyRecordings, newFolder } from "./testing/copy-recordings.ts";

const folders = new Map<AgentName, TestFolder>();
let folder: TestFolder;
beforeAll(() => {
  for (const agent of AGENT_NAMES) folders.set(agent, copyRecordings(agent));
  folder = newFolder();
});
afterAll(() => {
  folders.forEach((recordings) => recordings.remove());
  folder.remove();
});

const recorded = (agent: AgentName, recording: string): string => join(folders.get(agent)?.path ?? "", recording);

const cases = [
  // 800 of input and 10 of output.
  {
    agent: "claude",
    recording: "blocked-once-then-finished.jsonl",
    usage: { tokens: 810, window: 1_000_000, percent: 0, source: "model-name", model: "claude-opus-5-5" },
  },
  // What stands in the place of an answer has no usage.
  { agent: "claude", recording: "api-error.jsonl", usage: { tokens: 210 } },
  {
    agent: "gemini",
    recording: "denied-once-then-finished.jsonl",
    usage: { tokens: 710, window: 1_048_576, percent: 0, source: "model-name", model: "gemini-2.5-pro" },
  },
  { agent: "gemini", recording: "denied-once-then-finished-0.38.2.json", usage: { tokens: 710 } },
  // The last request's total, not the session's.
  {
    agent: "codex",
    recording: "blocked-once-then-finished-0.125.0.jsonl",
    usage: { tokens: 710, window: 258_400, percent: 0, source: "transcript", model: "gpt-5.5" },
  },
] as const;

test.for(cases)("$agent's $recording", ({ agent, recording, usage }) => {
  expect(readContextUsage(recorded(agent, recording), agent)).toMatchObject({
    status: "known",
    timestamp: expect.any(Date),
    ageMs: expect.any(Number),
    ...usage,
  });
});

describe("Claude's numbers", () => {
  /** A transcript with one answer. */
  const answered = (model: string, usage: object, after: object = {}): string => {
    const path = join(folder.path, "answer.jsonl");
    const message = { role: "assistant", model, usage, content: [] };
    const lines = [{ type: "assistant", sessionId: "s", timestamp: "2026-11-16T02:00:00Z", message }, after];
    writeFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n"));
    return path;
  };

  const full = {
    input_tokens: 3,
    cache_creation_input_tokens: 1_000,
    cache_read_input_tokens: 98_000,
    output_tokens: 997,
  };

  const models = [
    { model: "claude-sonnet-4-5-20250929", usage: full, expected: { tokens: 100_000, window: 200_000, percent: 50 } },
    { model: "claude-3-5-haiku-20241022", usage: full, expected: { tokens: 100_000, window: 200_000, percent: 50 } },
    { model: "claude-sonnet-4-5[1m]", usage: full, expected: { tokens: 100_000, window: 1_000_000, percent: 10 } },
    { model: "claude-opus-4-6", usage: full, expected: { tokens: 100_000, window: 200_000, percent: 50 } },
    { model: "claude-opus-4-8", usage: full, expected: { tokens: 100_000, window: 1_000_000, percent: 10 } },
    { model: "claude-haiku-5-5", usage: full, expected: { tokens: 100_000, window: 1_000_000, percent: 10 } },
    { model: "claude-opus-9", usage: full, expected: { tokens: 100_000, window: null, percent: null } },
    {
      model: "claude-opus-9",
      usage: { input_tokens: 250_000 },
      expected: { tokens: 250_000, window: 1_000_000, percent: 25 },
    },
  ];

  test.for(models)("$model: $expected", ({ model, usage, expected }) => {
    expect(readContextUsage(answered(model, usage), "claude")).toMatchObject(expected);
  });

  test("are those of the window that was asked for", () => {
    const path = answered("claude-sonnet-4-5", full);
    const [line = ""] = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, JSON.stringify({ ...JSON.parse(line), requestedModel: "claude-sonnet-4-5[1m]" }));
    expect(readContextUsage(path, "claude")).toMatchObject({
      window: 1_000_000,
      source: "model-name",
      model: "claude-sonnet-4-5",
    });
  });

  test("are those of the standard window up to its last token", () => {
    const window = (tokens: number) =>
      readContextUsage(answered("claude-sonnet-4-5", { input_tokens: tokens }), "claude");
    expect(window(200_000)).toMatchObject({ window: 200_000 });
    expect(window(200_001)).toMatchObject({ window: 1_000_000 });
  });

  const passedOver: { what: string; after: object }[] = [
    {
      what: "what stands in the model's place",
      after: { type: "assistant", message: { model: "<synthetic>", usage: {} } },
    },
    { what: "an error", after: { type: "assistant", isApiErrorMessage: true, message: { model: "m", usage: {} } } },
    { what: "another line with a message", after: { type: "progress", message: { model: "m", usage: {} } } },
    { what: "an answer without a message", after: { type: "assistant", usage: {} } },
    { what: "an answer without numbers", after: { type: "assistant", message: { model: "m" } } },
  ];
  test.for(passedOver)("are not those of $what", ({ after }) => {
    expect(readContextUsage(answered("claude-opus-9", full, after), "claude")).toMatchObject({ tokens: 100_000 });
  });

  test("are not known where there are none", () => {
    const path = join(folder.path, "none.jsonl");
    writeFileSync(path, '{"type":"user","sessionId":"s"}\n');
    expect(readContextUsage(path, "claude")).toEqual({ status: "unknown", reason: "no-usage" });
    expect(readContextUsage(path, "codex")).toEqual({ status: "unknown", reason: "no-usage" });
  });

  test("are not known after a compaction", () => {
    const boundary = { type: "system", subtype: "compact_boundary", sessionId: "s" };
    expect(readContextUsage(answered("claude-sonnet-4-5", full, boundary), "claude")).toEqual({
      status: "unknown",
      reason: "compacted",
    });
  });
});

test("a sub-agent's context is not the main one", () => {
  const path = join(folder.path, "sub-agent.jsonl");
  const lines = readFileSync(recorded("claude", "sub-agent-1.0.128.jsonl"), "utf8").split("\n");
  const answer = lines.findIndex((line) => line.includes('"isSidechain":true') && line.includes("Too quiet."));
  writeFileSync(path, lines.slice(0, answer + 1).join("\n"));
  expect(readContextUsage(path, "claude")).toMatchObject({ tokens: 210 });
});

describe("Codex's numbers", () => {
  const usage = (total_tokens: number, type = "token_count") => ({
    type: "event_msg",
    timestamp: "2026-11-16T02:00:00Z",
    payload: { type, info: { last_token_usage: { total_tokens }, model_context_window: 1000 } },
  });
  const context = (model: string, type = "turn_context") => ({ type, payload: { model } });
  const empty = { type: "event_msg", payload: { type: "token_count", info: null } };
  const hollow = { type: "event_msg", payload: { type: "token_count", info: {} } };
  const compacted = { type: "compacted", payload: {} };

  const rollouts: { lines: string; values: object[]; usage: object }[] = [
    { lines: "of one turn", values: [context("m"), usage(100)], usage: { tokens: 100, percent: 10, model: "m" } },
    { lines: "without a model", values: [usage(100)], usage: { tokens: 100, model: null } },
    {
      lines: "of two turns",
      values: [context("a"), usage(1), context("b"), usage(2)],
      usage: { tokens: 2, model: "b" },
    },
    {
      lines: "that end in no numbers",
      values: [context("m"), usage(100), empty, hollow],
      usage: { tokens: 100, model: "m" },
    },
    {
      lines: "with numbers of another event",
      values: [context("m"), usage(100), usage(7, "other")],
      usage: { tokens: 100 },
    },
    {
      lines: "with a model elsewhere",
      values: [context("m"), context("x", "world_state"), usage(1)],
      usage: { model: "m" },
    },
    {
      lines: "with an item",
      values: [usage(1), { type: "response_item", payload: { type: "compacted" } }],
      usage: { tokens: 1 },
    },
    {
      lines: "compacted before the numbers",
      values: [context("m"), compacted, usage(1)],
      usage: { tokens: 1, model: "m" },
    },
    { lines: "compacted after them", values: [usage(1), compacted], usage: { status: "unknown", reason: "compacted" } },
  ];
  test.for(rollouts)("in lines $lines", ({ values, usage: expected }) => {
    const path = join(folder.path, "rollout.jsonl");
    writeFileSync(path, values.map((value) => JSON.stringify(value)).join("\n"));
    expect(readContextUsage(path, "codex")).toMatchObject(expected);
  });
});

test("Gemini's numbers are not known after a compression", () => {
  const path = join(folder.path, "compressed.jsonl");
  const lines = readFileSync(recorded("gemini", "compressed-before-the-retry.jsonl"), "utf8").split("\n");
  const summary = lines.findIndex((line) => line.includes("<state_snapshot>"));
  writeFileSync(path, lines.slice(0, summary + 1).join("\n"));
  expect(readContextUsage(path, "gemini")).toEqual({ status: "unknown", reason: "compacted" });
});

const refusals = [
  { file: "nothing.jsonl", reason: "missing" },
  { file: ".", reason: "unreadable" },
] as const;

test.for(refusals)("$file: $reason", ({ file, reason }) => {
  expect(readContextUsage(join(folder.path, file), "claude")).toEqual({ status: "unknown", reason });
});

describe("no more than the last megabyte is read", () => {
  const rows = [
    { agent: "claude", recording: "blocked-once-then-finished.jsonl", tokens: 810 },
    { agent: "gemini", recording: "denied-once-then-finished.jsonl", tokens: 710 },
    { agent: "codex", recording: "blocked-once-then-finished-0.125.0.jsonl", tokens: 710 },
  ] as const;
  const noise = (megabytes: number) => `${JSON.stringify({ type: "noise", text: "x".repeat(megabytes * 2 ** 20) })}\n`;

  test.for(rows)("of $agent", ({ agent, recording, tokens }) => {
    const path = join(folder.path, `followed-${recording}`);
    const session = readFileSync(recorded(agent, recording), "utf8");
    writeFileSync(path, `${session}${noise(0.8)}`);
    expect(readContextUsage(path, agent)).toMatchObject({ tokens });
    writeFileSync(path, `${session}${noise(1.1)}`);
    expect(readContextUsage(path, agent)).toEqual({ status: "unknown", reason: "no-usage" });
  });
});

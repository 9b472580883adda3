import type { StoredStop } from "@agent-checkpoint/store";
import { expect, test } from "vitest";
import { type Answer, buildStats, type CountedStop, type Outcome } from "./build-stats.ts";

const aStop = (fields: Partial<StoredStop> = {}): StoredStop => ({
  id: 1,
  agent: "claude",
  sessionId: "s",
  projectPath: "/project",
  turn: "t",
  at: new Date("2026-11-16T12:00:00Z"),
  decision: "pass",
  reason: "timer",
  actions: [],
  observations: [],
  durationMs: 10,
  route: "hook",
  isCanary: false,
  trail: null,
  messageLength: null,
  repository: null,
  quiet: {},
  ...fields,
});

const passed = (fields: Partial<StoredStop> = {}): CountedStop => ({
  stop: aStop(fields),
  answers: [],
});

const answer = (rule: string, outcome: Outcome): Answer => ({
  rule,
  kind: "action",
  outcome,
  why: outcome === "unknown" ? "transcript-gone" : null,
});

const blocked = (answers: readonly Answer[], fields: Partial<StoredStop> = {}): CountedStop => ({
  stop: aStop({ decision: "block", reason: "missing-actions", durationMs: 100, messageLength: 400, ...fields }),
  answers,
});

test("without stops all is zero", () => {
  expect(buildStats([])).toEqual({
    stops: 0,
    blocked: 0,
    passed: 0,
    blockReasons: [],
    passReasons: [],
    rules: [],
    observations: [],
    unknown: [],
    agents: [],
    cost: { blocks: 0, seconds: null, tokens: null },
    messages: { count: 0, estimatedTokens: 0 },
    latency: { all: { stops: 0, medianMs: null, p95Ms: null }, judged: { stops: 0, medianMs: null, p95Ms: null } },
  });
});

test("stops, reasons, rules and agents are counted, the most frequent first", () => {
  const stats = buildStats([
    passed({ reason: "snoozed" }),
    passed(),
    passed({ agent: "codex" }),
    blocked([answer("logs", "done"), answer("tests", "ignored")]),
    blocked([answer("tests", "unknown")], { agent: "codex" }),
  ]);
  expect(stats).toMatchObject({
    stops: 5,
    blocked: 2,
    passed: 3,
    blockReasons: [{ reason: "missing-actions", count: 2 }],
    passReasons: [
      { reason: "timer", count: 2 },
      { reason: "snoozed", count: 1 },
    ],
    unknown: [{ why: "transcript-gone", count: 1 }],
    messages: { count: 2, estimatedTokens: 200 },
    latency: { all: { stops: 5, medianMs: 10, p95Ms: 100 } },
  });
  expect(stats.rules).toEqual([
    {
      rule: "tests",
      kind: "action",
      asked: 2,
      outcomes: { done: 0, partly: 0, ignored: 1, waived: 0, unknown: 1 },
      byAgent: {
        claude: { done: 0, partly: 0, ignored: 1, waived: 0, unknown: 0 },
        codex: { done: 0, partly: 0, ignored: 0, waived: 0, unknown: 1 },
      },
      isNoise: false,
    },
    {
      rule: "logs",
      kind: "action",
      asked: 1,
      outcomes: { done: 1, partly: 0, ignored: 0, waived: 0, unknown: 0 },
      byAgent: { claude: { done: 1, partly: 0, ignored: 0, waived: 0, unknown: 0 } },
      isNoise: false,
    },
  ]);
  expect(stats.agents).toEqual([
    {
      agent: "claude",
      stops: 3,
      blocked: 1,
      outcomes: { done: 1, partly: 0, ignored: 1, waived: 0, unknown: 0 },
      latency: { stops: 3, medianMs: 10, p95Ms: 100 },
    },
    {
      agent: "codex",
      stops: 2,
      blocked: 1,
      outcomes: { done: 0, partly: 0, ignored: 0, waived: 0, unknown: 1 },
      latency: { stops: 2, medianMs: 10, p95Ms: 100 },
    },
  ]);
});

test("an observation counts once a stop, and as sent in a block only", () => {
  const read = {
    check: "edit-without-read",
    text: "`a.ts` was edited without being read this turn.",
    isFailure: false,
  };
  const { observations } = buildStats([
    passed({ reason: "observations", observations: [read] }),
    blocked([], {
      observations: [
        read,
        { ...read, text: "`b.ts` was edited without being read this turn." },
        { ...read, check: "a-later-check" },
      ],
    }),
  ]);
  expect(observations).toEqual([
    { check: "edit-without-read", made: 2, sent: 1 },
    { check: "a-later-check", made: 1, sent: 1 },
  ]);
});

test("canaries are never counted", () => {
  expect(buildStats([passed({ isCanary: true }), blocked([answer("tests", "done")], { isCanary: true })])).toEqual(
    buildStats([]),
  );
});

test("what a block cost is the median of those of which it is known", () => {
  const costing = (seconds: number | null, tokens: number | null): CountedStop => ({
    ...blocked([]),
    cost: { seconds, tokens },
  });
  const all = [costing(10, 500), costing(40, null), costing(600, 9000), costing(null, null), blocked([])];
  expect(buildStats(all).cost).toEqual({ blocks: 3, seconds: 40, tokens: 500 });
});

test("a rule that is judged to be noise is marked", () => {
  const { rules } = buildStats([blocked([answer("logs", "ignored"), answer("tests", "ignored")])], new Set(["logs"]));
  expect(rules.map(({ rule, isNoise }) => [rule, isNoise])).toEqual([
    ["logs", true],
    ["tests", false],
  ]);
});

import type { StoredStop } from "@agent-checkpoint/store";
import { describe, expect, test } from "vitest";
import { checkLine } from "./protocol.ts";
import { outcomeRow, rowId, type Sender, stopRow } from "./team-rows.ts";

const SENDER: Sender = { privacy: "names", salt: "pepper", client: "1.2.3" };

/** A stop in which everything that must not leave has the word SECRET in it. */
const STOP: StoredStop = {
  id: 7,
  agent: "claude",
  sessionId: "SECRET-session",
  projectPath: "/home/SECRET/repo/shop/packages/SECRET",
  repository: "/home/SECRET/repo/shop",
  turn: "SECRET-turn",
  at: new Date("2026-01-02T03:04:05.678Z"),
  decision: "block",
  reason: "missing-actions",
  actions: ["tests", "SECRET is no id"],
  observations: [
    { check: "verification-gap", text: "`SECRET.ts` was modified", isFailure: false },
    { check: "verification-gap", text: "SECRET again", isFailure: true },
  ],
  messageLength: 321,
  durationMs: 41.6,
  route: "hook",
  isCanary: false,
  trail: {
    transcriptPath: "/home/SECRET/transcript.jsonl",
    turnStart: 1,
    readUpTo: 2,
    promptAt: null,
    changedFiles: ["src/SECRET.ts"],
    changedFileCount: 1,
    workingSlug: "SECRET",
  },
  save: null,
  quiet: { lint: "shadow" },
};

const OUTCOME = {
  stopId: 7,
  rule: "tests",
  kind: "action",
  mode: "require",
  agent: "claude",
  repository: "/home/SECRET/repo/shop",
  at: STOP.at,
  outcome: "waived",
  why: null,
  note: "SECRET words of a person",
  seconds: 60,
  tokens: 1200,
  judgedAt: new Date("2026-01-02T04:00:00Z"),
} as const;

test("this is all of a stop that leaves the machine", () => {
  expect(stopRow(STOP, SENDER)).toEqual({
    t: "stop",
    // Another id for the same row would count it twice.
    uid: "019b7ca9-8f2e-87f1-88b1-70e9e9f3a6f0",
    at: "2026-01-02T03:04:05.678Z",
    agent: "claude",
    repository: "shop",
    decision: "block",
    reason: "missing-actions",
    rules: ["tests", "other"],
    checks: ["verification-gap"],
    durationMs: 42,
    messageLength: 321,
    files: 1,
    client: "1.2.3",
  });
});

test("this is all of an outcome that leaves the machine", () => {
  expect(outcomeRow({ outcome: OUTCOME, stop: STOP }, SENDER)).toEqual({
    t: "outcome",
    uid: rowId(STOP),
    at: "2026-01-02T03:04:05.678Z",
    agent: "claude",
    repository: "shop",
    rule: "tests",
    kind: "action",
    mode: "require",
    outcome: "waived",
    why: null,
    seconds: 60,
    tokens: 1200,
    judgedAt: "2026-01-02T04:00:00.000Z",
  });
});

test("as hashes, the repository's name stays too, and is the same for the team alone", () => {
  const hashed = stopRow(STOP, { ...SENDER, privacy: "hashes" }).repository;
  expect(hashed).toMatch(/^#[0-9a-f]{16}$/);
  expect(stopRow({ ...STOP, repository: "/elsewhere/shop" }, { ...SENDER, privacy: "hashes" }).repository).toBe(hashed);
  expect(stopRow(STOP, { ...SENDER, privacy: "hashes", salt: "other" }).repository).not.toBe(hashed);
});

test("whatever a record holds, its row can be stored and has none of it", () => {
  const odd = {
    ...STOP,
    repository: `/x/\uD800\u0000${"n".repeat(200)}`,
    reason: "SECRET reason",
    durationMs: 1e300,
  };
  for (const row of [stopRow(odd, SENDER), outcomeRow({ outcome: { ...OUTCOME, why: "SECRET" }, stop: odd }, SENDER)]) {
    const line = JSON.stringify(row);
    expect(line).not.toContain("SECRET");
    expect(checkLine(line)).toMatchObject({ ok: true });
  }
});

describe("the id of a row", () => {
  test("is that of its copies, whatever became of the stop since", () => {
    expect(rowId({ ...STOP, decision: "pass", reason: "not-delivered" })).toBe(rowId({ ...STOP }));
  });

  const others: readonly Partial<StoredStop>[] = [
    { id: 8 },
    { at: new Date(STOP.at.getTime() + 1) },
    { turn: null },
    { sessionId: "" },
    { agent: "codex" },
  ];
  test.for(others)("is another one for %o", (change) => {
    expect(rowId({ ...STOP, ...change })).not.toBe(rowId(STOP));
  });
});

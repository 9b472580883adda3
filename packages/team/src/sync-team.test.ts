import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Stop, type Store } from "@agent-checkpoint/store";
import { expect, onTestFinished, test } from "vitest";
import { problemOfUrl } from "./enrolment.ts";
import type { BatchAnswer, TargetRefusal, TeamRow } from "./protocol.ts";
import { syncTeam } from "./sync-team.ts";
import { anEnrolment } from "./testing/an-enrolment.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const later = (seconds: number) => new Date(NOON.getTime() + seconds * 1000);

async function recordOf(stops: number): Promise<Store> {
  const home = mkdtempSync(join(tmpdir(), "checkpoint-sync-"));
  const opened = await openStore(home, { now: () => NOON });
  if (!opened.ok) throw new Error(opened.detail);
  onTestFinished(async () => {
    await opened.store.close();
    rmSync(home, { recursive: true });
  });
  for (let turn = 0; turn < stops; turn += 1) await opened.store.stops.record(aStop(turn));
  return opened.store;
}

const aStop = (turn: number): Stop => ({
  agent: "claude",
  sessionId: "s",
  projectPath: "/repo/shop",
  turn: String(turn),
  at: later(turn),
  decision: "block",
  reason: "missing-actions",
  actions: ["tests"],
  observations: [],
  durationMs: 1,
});

const anOutcome = (stopId: number, judgedAt: Date) =>
  ({
    stopId,
    rule: "tests",
    kind: "action",
    mode: "require",
    agent: "claude",
    repository: null,
    at: NOON,
    outcome: "done",
    why: null,
    note: null,
    seconds: 1,
    tokens: 1,
    judgedAt,
  }) as const;

type Fate = "stored" | "lost" | TargetRefusal["reason"];

/** A team that keeps what it is sent by its ids, and answers as it is told. */
function aTeam(fateOf: (batch: number, rows: readonly TeamRow[]) => Fate = () => "stored") {
  const kept = new Map<string, TeamRow>();
  const sizes: number[] = [];
  const send = async (rows: readonly TeamRow[]): Promise<({ ok: true } & BatchAnswer) | TargetRefusal> => {
    sizes.push(rows.length);
    const fate = fateOf(sizes.length, rows);
    const before = kept.size;
    if (fate === "stored" || fate === "lost")
      for (const row of rows) kept.set(row.t === "stop" ? row.uid : `${row.uid} ${row.rule}`, row);
    if (fate === "lost") return { ok: false, reason: "later", detail: "the answer was lost" };
    if (fate !== "stored") return { ok: false, reason: fate, detail: fate };
    return {
      ok: true,
      received: rows.length,
      inserted: kept.size - before,
      refused: [],
      rulesVersion: 0,
      rotate: false,
    };
  };
  return { kept, sizes, target: { send } };
}

const options = { enrolment: anEnrolment(), client: "1", now: NOON };

test("everything is sent once, in batches, and a second sync sends no stop again", async () => {
  const store = await recordOf(1100);
  const { kept, sizes, target } = aTeam();
  expect(await syncTeam({ ...options, store, target })).toMatchObject({ outcome: "done", sent: 1100, inserted: 1100 });
  expect(sizes).toEqual([500, 500, 100]);
  expect(await syncTeam({ ...options, store, target })).toMatchObject({ outcome: "done", sent: 0 });
  await store.stops.record(aStop(9999));
  expect(await syncTeam({ ...options, store, target })).toMatchObject({ sent: 1 });
  expect(kept.size).toBe(1101);
});

test("a lost answer leaves the cursor, and the rows count once", async () => {
  const store = await recordOf(30);
  const { kept, target } = aTeam((batch) => (batch < 4 ? "lost" : "stored"));
  for (const outcome of ["later", "later", "later", "done"])
    expect(await syncTeam({ ...options, store, target })).toMatchObject({ outcome });
  expect(kept.size).toBe(30);
});

test("a batch that is too large is halved until it fits, and one row that does not is said", async () => {
  const store = await recordOf(700);
  const fitting = aTeam((_, rows) => (rows.length > 100 ? "too-large" : "stored"));
  expect(await syncTeam({ ...options, store, target: fitting.target })).toMatchObject({ outcome: "done", sent: 700 });
  expect(fitting.sizes.slice(0, 4)).toEqual([500, 250, 125, 63]);
  expect(fitting.kept.size).toBe(700);
  const never = aTeam(() => "too-large");
  const other = { ...options, enrolment: anEnrolment({ machine: 2 }) };
  expect(await syncTeam({ ...other, store, target: never.target })).toMatchObject({ outcome: "too-large", sent: 0 });
});

test("a refusal ends it, and nothing is lost", async () => {
  const store = await recordOf(3);
  expect(await syncTeam({ ...options, store, target: aTeam(() => "refused").target })).toMatchObject({
    outcome: "refused",
  });
  expect(await syncTeam({ ...options, store, target: aTeam().target })).toMatchObject({ outcome: "done", sent: 3 });
});

test("what was before the machine joined stays", async () => {
  const store = await recordOf(10);
  await store.outcomes.record([anOutcome(1, NOON), anOutcome(9, NOON)]);
  const { kept, target } = aTeam();
  const enrolment = anEnrolment({ since: later(7).toISOString() });
  await syncTeam({ ...options, enrolment, store, target });
  expect([...kept.values()].map(({ t, at }) => [t, at])).toEqual([
    ["stop", later(7).toISOString()],
    ["stop", later(8).toISOString()],
    ["stop", later(9).toISOString()],
    ["outcome", later(8).toISOString()],
  ]);
});

test("outcomes that were judged early and written late are found, and so are those after a clock was set back", async () => {
  const store = await recordOf(4);
  const { kept, target } = aTeam();
  const run = (now: Date) => syncTeam({ ...options, store, target, now });
  await store.outcomes.record([anOutcome(1, later(600))]);
  await run(later(600));
  await store.outcomes.record([anOutcome(2, later(60))]);
  await run(later(660));
  await store.outcomes.record([anOutcome(3, later(1e9))]);
  await run(later(1e9));
  await store.outcomes.record([anOutcome(4, later(900))]);
  await run(later(900));
  expect([...kept.values()].filter(({ t }) => t === "outcome")).toHaveLength(4);
});

const urls = [
  { url: "https://team.example.com", isAllowed: true },
  { url: "postgres://me@db/team", isAllowed: true },
  { url: "http://127.0.0.1:8787", isAllowed: true },
  { url: "http://team.example.com", isAllowed: false },
  { url: "http://127.0.0.1.evil.example", isAllowed: false },
  { url: "file:///etc/passwd", isAllowed: false },
  { url: "team", isAllowed: false },
];
test.for(urls)("$url may be a team's address: $isAllowed", ({ url, isAllowed }) => {
  expect(problemOfUrl(url) === null).toBe(isAllowed);
});

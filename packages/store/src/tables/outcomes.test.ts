import { describe, expect, test } from "vitest";
import { aStop } from "../testing/a-stop.ts";
import { openedStore } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import type { Outcome } from "./outcomes.ts";
import type { StopFilter } from "./stops.ts";

const noon = new Date("2026-01-01T12:00:00Z");
const fresh = (now = () => noon) => openedStore(temporaryHome(), { now });

const anOutcome = (fields: Partial<Outcome> = {}): Outcome => ({
  stopId: 1,
  rule: "tests",
  kind: "action",
  mode: "require",
  agent: "claude",
  repository: "/project",
  at: noon,
  outcome: "done",
  why: null,
  note: null,
  seconds: 60,
  tokens: 1000,
  judgedAt: noon,
  ...fields,
});

const claim = (session: string, turn: string) =>
  ({
    agent: "claude",
    sessionId: session,
    turns: [turn],
    at: noon,
    stop: { projectPath: "/project", reason: "missing-actions", actions: ["tests"], observations: [], durationMs: 9 },
  }) as const;

test("blocks and what rules found in silence are unsettled until their outcomes are recorded, canaries never", async () => {
  const store = await fresh();
  await store.stops.claimBlock(claim("one", "turn"));
  await store.stops.record(aStop());
  await store.stops.record(aStop({ quiet: { lint: "shadow" } }));
  await store.stops.record(aStop({ quiet: { lint: "shadow" }, isCanary: true }));
  expect((await store.stops.list({ isUnsettled: true })).map(({ id, quiet }) => [id, quiet])).toEqual([
    [3, { lint: "shadow" }],
    [1, {}],
  ]);
  await store.outcomes.record([anOutcome()]);
  expect((await store.stops.list({ isUnsettled: true })).map(({ id }) => id)).toEqual([3]);
});

test("an outcome is recorded once", async () => {
  const store = await fresh();
  await store.outcomes.record([anOutcome(), anOutcome({ rule: "logs", outcome: "waived", note: "no daemon here" })]);
  await store.outcomes.record([anOutcome({ outcome: "ignored" })]);
  expect(await store.outcomes.list({ stopId: 1 })).toEqual([
    anOutcome({ rule: "logs", outcome: "waived", note: "no daemon here" }),
    anOutcome(),
  ]);
});

test("a secret in the words of a waiver is not kept", async () => {
  const store = await fresh();
  const secret = `ghp_${"a1B2".repeat(9)}`;
  await store.outcomes.record([anOutcome({ outcome: "waived", note: `the token ${secret} is refused` })]);
  expect(JSON.stringify(await store.outcomes.list())).not.toContain(secret);
});

test("the last stops are those of an agent, a repository and a rule", async () => {
  const store = await fresh();
  const observed = [{ check: "failed-command", text: 'it said "logs"', isFailure: true }];
  await store.stops.record(aStop({ actions: ["tests"], projectPath: "/one" }));
  await store.stops.record(aStop({ actions: ["logs"], projectPath: "/work-tree", repository: "/one" }));
  await store.stops.record(aStop({ actions: ["tests"], projectPath: "/other", agent: "codex" }));
  await store.stops.record(aStop({ observations: observed, projectPath: null }));
  await store.stops.record(aStop({ actions: ["tests"], isCanary: true }));
  const idsOf = async (filter: StopFilter) =>
    (await store.stops.list({ isCanary: false, ...filter })).map(({ id }) => id);
  expect(await idsOf({})).toEqual([4, 3, 2, 1]);
  expect(await idsOf({ limit: 1 })).toEqual([4]);
  expect(await idsOf({ agent: "codex" })).toEqual([3]);
  expect(await idsOf({ repository: "/one" })).toEqual([2, 1]);
  expect(await idsOf({ rule: "tests" })).toEqual([3, 1]);
  expect(await idsOf({ rule: "logs" })).toEqual([2]);
  expect(await idsOf({ rule: "failed-command" })).toEqual([4]);
  expect(await idsOf({ rule: "logs", repository: "/other" })).toEqual([]);
  expect(await idsOf({ since: new Date("2100-01-01") })).toEqual([]);
});

describe("settling", () => {
  test("is due once stops were recorded, and then not for a while", async () => {
    let now = noon;
    const store = await fresh(() => now);
    expect(await store.outcomes.claimSettling()).toBe(false);
    await store.stops.record(aStop({ at: noon }));
    expect([await store.outcomes.claimSettling(), await store.outcomes.claimSettling()]).toEqual([true, false]);
    now = new Date(noon.getTime() + 11 * 60 * 1000);
    expect(await store.outcomes.claimSettling()).toBe(false);
    await store.stops.record(aStop({ at: now }));
    expect(await store.outcomes.claimSettling()).toBe(true);
  });

  test("goes on after the clock was far ahead for a moment", async () => {
    let now = noon;
    const store = await fresh(() => now);
    await store.stops.record(aStop({ at: noon }));
    now = new Date("2100-01-01T00:00:00Z");
    expect(await store.outcomes.claimSettling()).toBe(true);
    now = new Date(noon.getTime() + 60 * 60 * 1000);
    await store.stops.record(aStop({ at: now }));
    expect(await store.outcomes.claimSettling()).toBe(true);
  });
});

test("a rule is moved for one repository, and moved again", async () => {
  const store = await fresh();
  const moved = { rule: "lint", agent: "", mode: "advise", since: noon };
  await store.modes.move("/one", { ...moved, mode: "shadow" });
  await store.modes.move("/one", moved);
  expect([await store.modes.list("/one"), await store.modes.list("/other")]).toEqual([[moved], []]);
});

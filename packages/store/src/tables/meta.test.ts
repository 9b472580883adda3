import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Store } from "../store.ts";
import { anObservation, aStop } from "../testing/a-stop.ts";
import { openedStore, sessionOf, snoozeStops } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";

const NOTHING = {
  stops: 0,
  blocks: 0,
  sessions: 0,
  snoozes: 0,
  phaseEvents: 0,
  proofs: 0,
  saves: 0,
  outcomes: 0,
  verifications: 0,
  exported: 0,
};
const LONG_AGO = new Date("2025-06-01T00:00:00Z");
const NOON = new Date("2026-01-01T12:00:00Z");

/** A store with a clock that the test sets, and a first look a day before noon. */
async function watchedStore(
  home = temporaryHome(),
): Promise<{ store: Store; setClock: (time: string | Date) => void }> {
  let now = new Date("2025-12-31T12:00:00Z");
  const store = await openedStore(home, { now: () => now });
  await store.prune(90);
  const setClock = (time: string | Date) => {
    now = new Date(time);
  };
  setClock(NOON);
  return { store, setClock };
}

describe("what is pruned", () => {
  test("stops and blocks from before, and a session only if nothing happened in it since", async () => {
    const { store } = await watchedStore();
    const claim = { agent: "claude", turns: ["turn-1"], at: LONG_AGO, stop: aStop() } as const;
    await store.stops.claimBlock({ ...claim, sessionId: "old" });
    await store.stops.claimBlock({ ...claim, sessionId: "alive" });
    await store.stops.record(aStop({ sessionId: "alive", at: NOON, reason: "new" }));
    expect(await store.prune(90)).toEqual({ ...NOTHING, stops: 2, blocks: 2, sessions: 1 });
    expect((await store.stops.list()).map(({ reason }) => reason)).toEqual(["new"]);
    expect(await store.stops.isBlocked("claude", "alive", ["turn-1"])).toBe(false);
    expect(await sessionOf(store, "claude", "old")).toBeNull();
    expect(await sessionOf(store, "claude", "alive")).not.toBeNull();
  });

  test("snoozes that ended before", async () => {
    const { store } = await watchedStore();
    const made = { from: LONG_AGO, reason: null, madeBy: "me", madeIn: "/project" };
    for (const [sessionId, until] of [
      ["ended", "2026-01-01T11:59:59Z"],
      ["ending", "2026-01-01T12:00:00Z"],
      ["holding", "2026-01-01T13:00:00Z"],
    ] as const)
      await snoozeStops(store, {
        ...made,
        scope: { kind: "session", agent: "claude", sessionId },
        until: new Date(until),
      });
    expect(await store.prune(0)).toEqual({ ...NOTHING, snoozes: 1 });
    expect(await store.snoozes.list(new Date("2026-01-01T11:00:00Z"))).toHaveLength(2);
  });

  test("steps of phases from before", async () => {
    const { store } = await watchedStore();
    const step = { command: "build", feature: null, phase: "plan", headCommit: null };
    await store.phases.merge("/project", [
      { ...step, status: "in_progress", at: LONG_AGO },
      { ...step, status: "complete", at: NOON },
    ]);
    expect(await store.prune(90)).toEqual({ ...NOTHING, phaseEvents: 1 });
    expect((await store.phases.merge("/project", [])).map(({ status }) => status)).toEqual(["complete"]);
  });

  test("saves from before", async () => {
    const { store } = await watchedStore();
    const save = { agent: "claude", sessionId: "s", projectPath: null, trigger: "stop", outcome: "committed" } as const;
    const rest = { percent: 1, commit: null, checkpoint: null, files: [], leftOut: {}, section: null, detail: null };
    for (const at of [LONG_AGO, NOON]) await store.saves.record({ ...save, ...rest, at, durationMs: 1 });
    expect(await store.prune(90)).toEqual({ ...NOTHING, saves: 1 });
    expect((await store.saves.list()).map(({ at }) => at)).toEqual([NOON]);
  });

  test("what is older by a millisecond than so many days", async () => {
    const { store } = await watchedStore();
    await store.stops.record(aStop({ at: new Date("2025-10-03T11:59:59.999Z") }));
    await store.stops.record(aStop({ at: new Date("2025-10-03T12:00:00Z") }));
    expect(await store.prune(90)).toEqual({ ...NOTHING, stops: 1 });
  });
});

describe("when it is due", () => {
  test("once a day, and when the last time lies in the future", async () => {
    const { store, setClock } = await watchedStore();
    const pruneAt = async (time: string) => {
      setClock(time);
      await store.stops.record(aStop({ at: LONG_AGO }));
      return store.prune(90);
    };
    expect(await pruneAt("2026-01-01T12:00:00Z")).toMatchObject({ stops: 1 });
    expect(await pruneAt("2026-01-02T11:59:59Z")).toBeNull();
    expect(await pruneAt("2026-01-02T12:00:00Z")).toMatchObject({ stops: 2 });
    expect(await pruneAt("2026-01-01T00:00:00Z")).toMatchObject({ stops: 1 });
  });

  const clocks = ["2026-01-01T12:00:00Z", "2036-01-01T12:00:00Z", "9999-01-01T00:00:00Z", "1970-01-01T00:00:00Z"];
  test.for(clocks)("the first look of a home, at %s by its clock, deletes nothing", async (clock) => {
    const store = await openedStore(temporaryHome(), { now: () => new Date(clock) });
    const claim = { agent: "claude", sessionId: "s", turns: ["turn-1"], at: NOON, stop: aStop() } as const;
    await store.stops.claimBlock(claim);
    await store.stops.record(aStop({ at: LONG_AGO }));
    expect(await store.prune(90)).toEqual(NOTHING);
    expect(await store.prune(90)).toBeNull();
    expect(await store.stops.isBlocked("claude", "s", ["turn-1"])).toBe(true);
    expect(await store.stops.list()).toHaveLength(2);
  });

  test("a clock that jumps ahead takes no more than the last look would have taken soon", async () => {
    const { store, setClock } = await watchedStore();
    await store.stops.record(aStop({ at: NOON }));
    setClock("2036-01-01T12:00:00Z");
    expect(await store.prune(90)).toEqual(NOTHING);
    setClock("2026-01-01T13:00:00Z");
    expect(await store.prune(90)).toEqual(NOTHING);
    expect(await store.stops.list()).toHaveLength(1);
  });
});

test("the file shrinks with what is deleted", async () => {
  const home = temporaryHome();
  const { store } = await watchedStore(home);
  for (let number = 0; number < 300; number += 1)
    await store.stops.record(aStop({ at: LONG_AGO, observations: [anObservation("x".repeat(8000))] }));
  const size = async () => {
    await (await openedStore(home)).close();
    return statSync(join(home, "checkpoint.db")).size;
  };
  await store.close();
  const before = await size();
  const again = await openedStore(home, { now: () => NOON });
  expect(await again.prune(90)).toMatchObject({ stops: 300 });
  await again.close();
  expect(before).toBeGreaterThan(2_000_000);
  expect(await size()).toBeLessThan(300_000);
});

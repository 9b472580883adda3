import { expect, test } from "vitest";
import { aStop } from "../testing/a-stop.ts";
import { openedStore } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";

const NOON = new Date("2026-01-01T12:00:00Z");
const later = (seconds: number) => new Date(NOON.getTime() + seconds * 1000);

async function clocked() {
  let now = NOON;
  const store = await openedStore(temporaryHome(), { now: () => now });
  return { store, setClock: (seconds: number) => void (now = later(seconds)) };
}

test("stops come in the order of their ids, without canaries, from the cursor of their target on", async () => {
  const { store } = await clocked();
  for (const turn of ["1", "2", "3"]) await store.stops.record(aStop({ turn, isCanary: turn === "2" }));
  const [first, third] = await store.sync.stops(0, 10);
  expect([first?.turn, third?.turn]).toEqual(["1", "3"]);
  if (first === undefined) throw new Error("no stop");
  await store.sync.move("team", first);
  expect((await store.sync.cursor("team")).stopId).toBe(first.id);
  expect((await store.sync.stops(first.id, 10)).map(({ turn }) => turn)).toEqual(["3"]);
  expect((await store.sync.cursor("another")).stopId).toBe(0);
});

test("a cursor is void once its stop is gone: ids begin anew in a table that was emptied", async () => {
  const { store, setClock } = await clocked();
  await store.prune(90);
  await store.stops.record(aStop({ at: new Date("2025-01-01T00:00:00Z"), turn: "old" }));
  const [old] = await store.sync.stops(0, 1);
  if (old === undefined) throw new Error("no stop");
  await store.sync.move("team", old);
  setClock(25 * 60 * 60);
  expect(await store.prune(90)).toMatchObject({ stops: 1 });
  await store.stops.record(aStop({ at: NOON, turn: "new" }));
  const { stopId } = await store.sync.cursor("team");
  expect((await store.sync.stops(stopId, 10)).map(({ id, turn }) => [id, turn])).toEqual([[old.id, "new"]]);
});

test("outcomes come with their stops, in the order of their judgement", async () => {
  const { store } = await clocked();
  await store.stops.record(aStop({ decision: "block", actions: ["tests", "lint"] }));
  const outcome = { stopId: 1, kind: "action", mode: "require", agent: "claude", repository: null, at: NOON } as const;
  const rest = { outcome: "done", why: null, note: null, seconds: 1, tokens: 1 } as const;
  await store.outcomes.record([
    { ...outcome, ...rest, rule: "tests", judgedAt: later(2) },
    { ...outcome, ...rest, rule: "lint", judgedAt: later(1) },
    { ...outcome, ...rest, rule: "gone", stopId: 99, judgedAt: later(1) },
  ]);
  const start = { judgedAt: 0, stopId: 0, rule: "" };
  const { outcomes } = await store.sync.outcomes(start, 10);
  expect(outcomes.map(({ outcome: { rule }, stop }) => [rule, stop.turn])).toEqual([
    ["lint", "turn-1"],
    ["tests", "turn-1"],
  ]);
  const after = { judgedAt: later(1).getTime(), stopId: 1, rule: "lint" };
  const gone = await store.sync.outcomes(after, 1);
  expect([gone.outcomes, gone.next?.rule]).toEqual([[], "gone"]);
  const { next } = await store.sync.outcomes({ ...after, ...gone.next }, 10);
  expect(next?.rule).toBe("tests");
  expect((await store.sync.outcomes({ ...after, ...next }, 10)).next).toBeNull();
});

test("a sync starts by itself once a minute, and after failures twice as late each time", async () => {
  const { store, setClock } = await clocked();
  expect([await store.sync.claim(), await store.sync.claim()]).toEqual([true, false]);
  setClock(60);
  expect(await store.sync.claim()).toBe(true);
  await store.sync.note(false);
  await store.sync.note(false);
  setClock(60 + 239);
  expect(await store.sync.claim()).toBe(false);
  setClock(60 + 240);
  expect(await store.sync.claim()).toBe(true);
  await store.sync.note(true);
  expect(await store.sync.state()).toEqual({ doneAt: later(300), failures: 0 });
});

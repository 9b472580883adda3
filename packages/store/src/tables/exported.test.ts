import { expect, test } from "vitest";
import { aStop } from "../testing/a-stop.ts";
import { openedStore } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import type { Outcome } from "./outcomes.ts";

const AT = new Date("2026-01-01T12:00:00Z");
const outcome = (stopId: number, rule: string): Outcome => ({
  stopId,
  rule,
  kind: "action",
  mode: "require",
  agent: "claude",
  repository: "/project",
  at: AT,
  outcome: "done",
  why: null,
  note: null,
  seconds: 3,
  tokens: null,
  judgedAt: AT,
});

test("each target is told what it has not taken, whenever it was recorded", async () => {
  const store = await openedStore(temporaryHome());
  for (const reason of ["one", "two", "three"]) await store.stops.record(aStop({ reason, at: AT }));
  await store.stops.record(aStop({ reason: "canary", isCanary: true }));
  await store.outcomes.record([outcome(2, "tests")]);

  const first = await store.exports.unsent("a", 2);
  expect(first.stops.map(({ reason }) => reason)).toEqual(["one", "two"]);
  expect(first.outcomes).toEqual([outcome(2, "tests")]);
  await store.exports.markSent("a", first);
  await store.exports.markSent("a", first);

  // Judged after the rows behind it were sent.
  await store.outcomes.record([outcome(1, "tests"), outcome(2, "migrate")]);
  const second = await store.exports.unsent("a", 10);
  expect(second.stops.map(({ reason }) => reason)).toEqual(["three"]);
  expect(second.outcomes).toEqual([outcome(1, "tests"), outcome(2, "migrate")]);
  await store.exports.markSent("a", second);

  expect(await store.exports.unsent("a", 10)).toEqual({ stops: [], outcomes: [] });
  expect((await store.exports.unsent("b", 10)).stops).toHaveLength(3);
});

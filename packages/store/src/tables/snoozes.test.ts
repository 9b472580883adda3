import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { execIn } from "../testing/drivers.ts";
import { openedStore, snoozeStops } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import { isSnoozed, type Snooze, type SnoozedPlace, type SnoozeScope } from "./snoozes.ts";

const at = (time: string) => new Date(`2026-01-01T${time}Z`);

const PROJECT: SnoozeScope = { kind: "project", projectPath: "/project" };
const OTHER_PROJECT: SnoozeScope = { kind: "project", projectPath: "/other" };
const SESSION: SnoozeScope = { kind: "session", agent: "claude", sessionId: "session-1" };
const OTHER_SESSION: SnoozeScope = { kind: "session", agent: "claude", sessionId: "session-2" };
const OTHER_AGENT: SnoozeScope = { kind: "session", agent: "codex", sessionId: "session-1" };

const snooze = (fields: Partial<Snooze> = {}): Snooze => ({
  scope: PROJECT,
  from: at("12:00:00"),
  until: at("13:00:00"),
  reason: null,
  madeBy: "me",
  madeIn: "/project/packages",
  ...fields,
});

const place = (fields: Partial<SnoozedPlace> = {}): SnoozedPlace => ({
  agent: "claude",
  sessionId: "session-1",
  projectPaths: ["/project"],
  ...fields,
});

const freshStore = () => openedStore(temporaryHome());

describe("a snooze", () => {
  const given = [
    snooze(),
    snooze({ scope: SESSION, reason: "ä\n🎉 a release", madeBy: "", madeIn: "" }),
    snooze({ scope: { kind: "project", projectPath: "" } }),
  ];
  test.for(given)("is kept as it was given: $scope", async (made) => {
    const store = await freshStore();
    await snoozeStops(store, made);
    expect(await store.snoozes.list(at("12:30:00"))).toEqual([made]);
  });

  const times = [
    { time: "11:59:59.999", holds: false, why: "the clock was set back before it was made" },
    { time: "12:00:00.000", holds: true, why: "it begins" },
    { time: "12:59:59.999", holds: true, why: "it is about to end" },
    { time: "13:00:00.000", holds: false, why: "it ends" },
    { time: "23:00:00.000", holds: false, why: "it is over" },
  ];
  test.for(times)("holds at $time, when $why: $holds", async ({ time, holds }) => {
    const store = await freshStore();
    await snoozeStops(store, snooze());
    expect(isSnoozed(await store.snoozes.list(at(time)), place())).toBe(holds);
    expect(await store.snoozes.list(at(time))).toHaveLength(holds ? 1 : 0);
  });

  const places = [
    { scope: PROJECT, stop: place(), holds: true },
    { scope: PROJECT, stop: place({ agent: "gemini", sessionId: "" }), holds: true },
    { scope: PROJECT, stop: place({ projectPaths: ["/link-to-project", "/project"] }), holds: true },
    { scope: PROJECT, stop: place({ projectPaths: ["/project/packages"] }), holds: false },
    { scope: PROJECT, stop: place({ projectPaths: ["/proj"] }), holds: false },
    { scope: PROJECT, stop: place({ projectPaths: [] }), holds: false },
    { scope: SESSION, stop: place({ projectPaths: [] }), holds: true },
    { scope: SESSION, stop: place({ projectPaths: ["/elsewhere"] }), holds: true },
    { scope: SESSION, stop: place({ agent: "codex" }), holds: false },
    { scope: SESSION, stop: place({ sessionId: "session-2" }), holds: false },
  ];
  test.for(places)("of $scope lets $stop go: $holds", async ({ scope, stop, holds }) => {
    const store = await freshStore();
    await snoozeStops(store, snooze({ scope }));
    expect(isSnoozed(await store.snoozes.list(at("12:30:00")), stop)).toBe(holds);
  });

  test("is listed by when it ends, and of equal ends the first made comes first", async () => {
    const store = await freshStore();
    const made = [
      snooze({ scope: SESSION, until: at("15:00:00") }),
      snooze({ scope: OTHER_AGENT, until: at("14:00:00") }),
      snooze({ scope: PROJECT, until: at("14:00:00") }),
      snooze({ scope: OTHER_PROJECT, until: at("13:00:00") }),
    ];
    for (const one of made) await snoozeStops(store, one);
    const scopes = (await store.snoozes.list(at("12:30:00"))).map(({ scope }) => scope);
    expect(scopes).toEqual([OTHER_PROJECT, OTHER_AGENT, PROJECT, SESSION]);
  });

  test("survives in the database", async () => {
    const home = temporaryHome();
    const first = await openedStore(home);
    await snoozeStops(first, snooze());
    await first.close();
    const second = await openedStore(home);
    expect(await second.snoozes.list(at("12:30:00"))).toEqual([snooze()]);
  });

  test.for([PROJECT, SESSION])("whose row somebody has spoiled lets nothing go: $kind", async (scope) => {
    const home = temporaryHome();
    const store = await openedStore(home);
    await snoozeStops(store, snooze({ scope }));
    await snoozeStops(store, snooze({ scope: OTHER_PROJECT }));
    execIn(join(home, "checkpoint.db"), `UPDATE snoozes SET scope = '{"kind":"${scope.kind}"}' WHERE id = 1`);
    expect(await store.snoozes.list(at("12:30:00"))).toEqual([snooze({ scope: OTHER_PROJECT })]);
    expect(isSnoozed(await store.snoozes.list(at("12:30:00")), place())).toBe(false);
  });
});

describe("a later word", () => {
  const later = [
    { title: "for longer", until: at("20:00:00") },
    { title: "for shorter", until: at("12:20:00") },
  ];
  test.for(later)("$title takes the place of the former of the same scope", async ({ until }) => {
    const store = await freshStore();
    await snoozeStops(store, snooze());
    await snoozeStops(store, snooze({ scope: SESSION }));
    const second = snooze({ from: at("12:10:00"), until, reason: "another" });
    await snoozeStops(store, second);
    expect((await store.snoozes.list(at("12:10:00"))).filter(({ scope }) => scope.kind === "project")).toEqual([
      second,
    ]);
    expect(await store.snoozes.list(at("12:10:00"))).toHaveLength(2);
    expect(isSnoozed(await store.snoozes.list(until), place({ sessionId: "" }))).toBe(false);
  });

  test("ends one that begins later, by a clock that was wrong", async () => {
    const store = await freshStore();
    await snoozeStops(store, snooze({ from: at("18:00:00"), until: at("19:00:00") }));
    const second = snooze({ from: at("12:00:00"), until: at("12:30:00") });
    await snoozeStops(store, second);
    expect(await store.snoozes.list(at("12:10:00"))).toEqual([second]);
    expect(await store.snoozes.list(at("18:30:00"))).toEqual([]);
  });
});

describe("ending snoozes", () => {
  const scopes = [PROJECT, OTHER_PROJECT, SESSION, OTHER_SESSION, OTHER_AGENT];
  test.for(scopes)("of $kind leaves those of every other scope", async (ended) => {
    const store = await freshStore();
    for (const scope of scopes) await snoozeStops(store, snooze({ scope }));
    expect(await store.snoozes.set(ended, null, at("12:30:00"))).toBe(1);
    const left = (await store.snoozes.list(at("12:30:00"))).map(({ scope }) => scope);
    expect(left).toEqual(scopes.filter((scope) => scope !== ended));
  });

  test("ends those of a later beginning as well", async () => {
    const store = await freshStore();
    await snoozeStops(store, snooze({ from: at("18:00:00"), until: at("19:00:00") }));
    expect(await store.snoozes.set(PROJECT, null, at("12:00:00"))).toBe(1);
    expect(await store.snoozes.list(at("18:30:00"))).toEqual([]);
  });

  const none = [
    { title: "nothing was said", made: [] },
    { title: "it is over", made: [snooze({ until: at("12:30:00") })] },
    { title: "only another scope is snoozed", made: [snooze({ scope: SESSION })] },
  ];
  test.for(none)("counts none where $title", async ({ made }) => {
    const store = await freshStore();
    for (const one of made) await snoozeStops(store, one);
    expect(await store.snoozes.set(PROJECT, null, at("12:30:00"))).toBe(0);
  });

  test("counts once", async () => {
    const store = await freshStore();
    await snoozeStops(store, snooze());
    expect(await store.snoozes.set(PROJECT, null, at("12:30:00"))).toBe(1);
    expect(await store.snoozes.set(PROJECT, null, at("12:30:00"))).toBe(0);
  });
});

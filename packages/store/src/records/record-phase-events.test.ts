import { describe, expect, test } from "vitest";
import { openedStore } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import type { PhaseEventFilter } from "./list-phase-events.ts";
import type { StoredPhaseEvent } from "./phase-event.ts";

const at = (time: string) => new Date(`2026-01-01T${time}Z`);

const event = (fields: Partial<StoredPhaseEvent> = {}): StoredPhaseEvent => ({
  projectPath: "/project",
  command: "build",
  feature: "login",
  phase: "plan",
  status: "in_progress",
  at: at("12:00:00"),
  headCommit: "3f1c0d77",
  ...fields,
});

const freshStore = () => openedStore(temporaryHome());

describe("a step of a phase", () => {
  const given = [
    event(),
    event({ feature: null, phase: null, headCommit: null }),
    event({ feature: "ä/🎉", phase: "a b\n", status: "complete" }),
  ];
  test.for(given)("is kept as it was given: $feature, $phase", async (made) => {
    const store = await freshStore();
    expect(await store.recordPhaseEvents([made])).toBe(1);
    expect(await store.listPhaseEvents()).toEqual([made]);
  });

  test("counts once, however often it is told", async () => {
    const store = await freshStore();
    const events = [event(), event({ feature: null, phase: null })];
    expect(await store.recordPhaseEvents([...events, ...events])).toBe(2);
    expect(await store.recordPhaseEvents(events)).toBe(0);
    expect(await store.recordPhaseEvents([...events, event({ status: "complete" })])).toBe(1);
    expect(await store.listPhaseEvents()).toHaveLength(3);
  });

  test("keeps the commit it was told with first", async () => {
    const store = await freshStore();
    await store.recordPhaseEvents([event({ headCommit: "first" })]);
    await store.recordPhaseEvents([event({ headCommit: "second" })]);
    expect(await store.listPhaseEvents()).toEqual([event({ headCommit: "first" })]);
  });

  const others: readonly { other: string; fields: Partial<StoredPhaseEvent> }[] = [
    { other: "project", fields: { projectPath: "/other" } },
    { other: "command", fields: { command: "review" } },
    { other: "feature", fields: { feature: null } },
    { other: "phase", fields: { phase: null } },
    { other: "status", fields: { status: "failed" } },
    { other: "time", fields: { at: at("12:00:00.001") } },
  ];
  test.for(others)("of another $other is another step", async ({ fields }) => {
    const store = await freshStore();
    expect(await store.recordPhaseEvents([event(), event(fields)])).toBe(2);
  });

  test.for([0, 1, 100, 101, 5000])("%i of them fit in at once", async (count) => {
    const store = await freshStore();
    const events = Array.from({ length: count }, (_, number) => event({ phase: `phase-${number}` }));
    expect(await store.recordPhaseEvents(events)).toBe(count);
    expect(await store.listPhaseEvents()).toHaveLength(count);
  });
});

describe("the list", () => {
  const events = [
    event({ status: "1", at: at("12:00:00") }),
    event({ status: "2", at: at("12:00:00"), feature: null }),
    event({ status: "3", at: at("12:00:03"), command: "review" }),
    event({ status: "4", at: at("12:00:02"), projectPath: "/project/sub" }),
  ];
  const cases: readonly { filter: PhaseEventFilter | undefined; statuses: readonly string[] }[] = [
    { filter: undefined, statuses: ["3", "4", "2", "1"] },
    { filter: {}, statuses: ["3", "4", "2", "1"] },
    { filter: { limit: 2 }, statuses: ["3", "4"] },
    { filter: { projectPath: "/project" }, statuses: ["3", "2", "1"] },
    { filter: { command: "review" }, statuses: ["3"] },
    { filter: { feature: "login" }, statuses: ["3", "4", "1"] },
    { filter: { feature: null }, statuses: ["2"] },
    { filter: { feature: undefined }, statuses: ["3", "4", "2", "1"] },
    { filter: { since: at("12:00:02") }, statuses: ["3", "4"] },
    { filter: { projectPath: "/project", command: "build", feature: "login", limit: 9 }, statuses: ["1"] },
  ];
  test.for(cases)("has the newest first: $filter", async ({ filter, statuses }) => {
    const store = await freshStore();
    await store.recordPhaseEvents(events);
    expect((await store.listPhaseEvents(filter)).map(({ status }) => status)).toEqual(statuses);
  });
});

describe("telling a project's steps again", () => {
  test("forgets its former ones and leaves those of other projects", async () => {
    const store = await freshStore();
    const elsewhere = event({ projectPath: "/project/sub", at: at("11:00:00") });
    await store.recordPhaseEvents([event(), event({ status: "complete" }), elsewhere]);
    const told = [event({ status: "failed", at: at("12:30:00") }), event({ headCommit: "rewritten" })];
    await store.rebuildPhaseEvents("/project", told);
    expect(await store.listPhaseEvents()).toEqual([...told, elsewhere]);
  });

  test("with none leaves none", async () => {
    const store = await freshStore();
    await store.recordPhaseEvents([event()]);
    await store.rebuildPhaseEvents("/project", []);
    expect(await store.listPhaseEvents()).toEqual([]);
  });

  test("is done whole or not at all", async () => {
    const store = await freshStore();
    await store.recordPhaseEvents([event()]);
    const broken = event({ at: new Date(Number.NaN) });
    const many = Array.from({ length: 150 }, (_, number) => event({ phase: `phase-${number}` }));
    await expect(store.rebuildPhaseEvents("/project", [...many, broken])).rejects.toThrow("NOT NULL");
    expect(await store.listPhaseEvents()).toEqual([event()]);
  });
});

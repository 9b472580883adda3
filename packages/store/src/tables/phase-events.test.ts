import { describe, expect, test } from "vitest";
import { openedStore } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import type { PhaseEvent } from "./phase-events.ts";

const at = (time: string) => new Date(`2026-01-01T${time}Z`);

const event = (fields: Partial<PhaseEvent> = {}): PhaseEvent => ({
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
    expect(await store.phases.merge("/project", [made])).toEqual([made]);
    expect(await store.phases.merge("/project", [])).toEqual([made]);
  });

  test("counts once, however often it is merged", async () => {
    const store = await freshStore();
    const events = [event(), event({ feature: null, phase: null })];
    expect(await store.phases.merge("/project", [...events, ...events])).toHaveLength(2);
    expect(await store.phases.merge("/project", events)).toHaveLength(2);
    expect(await store.phases.merge("/project", [...events, event({ status: "complete" })])).toHaveLength(3);
  });

  test("keeps the commit it was first merged with", async () => {
    const store = await freshStore();
    await store.phases.merge("/project", [event({ headCommit: "first" })]);
    const known = await store.phases.merge("/project", [event({ headCommit: "second" })]);
    expect(known).toEqual([event({ headCommit: "first" })]);
  });

  const others: readonly { other: string; fields: Partial<PhaseEvent> }[] = [
    { other: "command", fields: { command: "review" } },
    { other: "feature", fields: { feature: null } },
    { other: "phase", fields: { phase: null } },
    { other: "status", fields: { status: "failed" } },
    { other: "time", fields: { at: at("12:00:00.001") } },
  ];
  test.for(others)("of another $other is another step", async ({ fields }) => {
    const store = await freshStore();
    expect(await store.phases.merge("/project", [event(), event(fields)])).toHaveLength(2);
  });

  test("of another project is listed with that project only", async () => {
    const store = await freshStore();
    await store.phases.merge("/project", [event()]);
    expect(await store.phases.merge("/project/sub", [event({ status: "failed" })])).toEqual([
      event({ status: "failed" }),
    ]);
    expect(await store.phases.merge("/project", [])).toEqual([event()]);
  });

  test.for([0, 1, 100, 101, 5000])("%i of them fit in at once", async (count) => {
    const store = await freshStore();
    const events = Array.from({ length: count }, (_, number) => event({ phase: `phase-${number}` }));
    expect(await store.phases.merge("/project", events)).toHaveLength(count);
  });
});

test("the newest step comes first, and of equal times the last merged", async () => {
  const store = await freshStore();
  const events = [
    event({ status: "1", at: at("12:00:00") }),
    event({ status: "2", at: at("12:00:00") }),
    event({ status: "3", at: at("12:00:03") }),
    event({ status: "4", at: at("12:00:02") }),
  ];
  const listed = await store.phases.merge("/project", events);
  expect(listed.map(({ status }) => status)).toEqual(["3", "4", "2", "1"]);
});

describe("a rebuild", () => {
  test("forgets the project's other steps and leaves those of other projects", async () => {
    const store = await freshStore();
    await store.phases.merge("/project", [event(), event({ status: "complete" })]);
    await store.phases.merge("/project/sub", [event()]);
    const events = [event({ status: "failed", at: at("12:30:00") }), event({ headCommit: "rewritten" })];
    expect(await store.phases.merge("/project", events, { rebuild: true })).toEqual(events);
    expect(await store.phases.merge("/project/sub", [])).toEqual([event()]);
  });

  test("with none leaves none", async () => {
    const store = await freshStore();
    await store.phases.merge("/project", [event()]);
    expect(await store.phases.merge("/project", [], { rebuild: true })).toEqual([]);
  });

  test("is done whole or not at all", async () => {
    const store = await freshStore();
    await store.phases.merge("/project", [event()]);
    const broken = event({ at: new Date(Number.NaN) });
    const many = Array.from({ length: 150 }, (_, number) => event({ phase: `phase-${number}` }));
    await expect(store.phases.merge("/project", [...many, broken], { rebuild: true })).rejects.toThrow("NOT NULL");
    expect(await store.phases.merge("/project", [])).toEqual([event()]);
  });
});

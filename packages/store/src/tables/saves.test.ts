import { describe, expect, test } from "vitest";
import { openedStore } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import type { Save, SaveFilter } from "./saves.ts";

const at = (time: string) => new Date(`2026-01-01T${time}Z`);

const save = (fields: Partial<Save> = {}): Save => ({
  agent: "claude",
  sessionId: "session-1",
  projectPath: "/project",
  at: at("12:00:00"),
  trigger: "threshold",
  outcome: "committed",
  percent: 41.5,
  commit: "3f1c0d77",
  checkpoint: "chk_1",
  files: ["a.ts", "ä \n.ts"],
  leftOut: { "secret.env": "sensitive" },
  section: "## Last Session\n",
  detail: null,
  durationMs: 120,
  ...fields,
});

const freshStore = () => openedStore(temporaryHome());

describe("a save", () => {
  const nothing = { projectPath: null, percent: null, commit: null, checkpoint: null, section: null };
  const given = [
    { title: "with everything", fields: {} },
    { title: "with nothing", fields: { ...nothing, files: [], leftOut: {}, outcome: "nothing-to-do" } },
    { title: "of an odd file", fields: { leftOut: JSON.parse('{"__proto__":"mixed"}'), detail: "ü\n🎉" } },
  ];
  test.for(given)("$title is kept as it was given, under a number", async ({ fields }) => {
    const store = await freshStore();
    const id = await store.saves.record(save(fields));
    expect(await store.saves.list()).toEqual([{ ...save(fields), id }]);
  });

  test("lasts whole milliseconds", async () => {
    const store = await freshStore();
    await store.saves.record(save({ durationMs: 12.6 }));
    expect(await store.saves.list()).toEqual([expect.objectContaining({ durationMs: 13 })]);
  });

  test("gets what came of it later, and no other does", async () => {
    const store = await freshStore();
    const first = await store.saves.record(save());
    const second = await store.saves.record(save());
    await store.saves.record({ id: first, outcome: "committed-pushed", detail: "origin" });
    expect(await store.saves.list()).toEqual([
      { ...save(), id: second },
      { ...save({ outcome: "committed-pushed", detail: "origin" }), id: first },
    ]);
  });

  const saves = [
    save({ outcome: "1" }),
    save({ outcome: "2", projectPath: "/project/sub" }),
    save({ outcome: "3", at: at("12:00:03"), agent: "gemini", projectPath: "/project-2" }),
    save({ outcome: "4", at: at("12:00:02"), sessionId: "session-2", projectPath: null }),
  ];
  const filters: readonly { filter: SaveFilter | undefined; outcomes: readonly string[] }[] = [
    { filter: undefined, outcomes: ["3", "4", "2", "1"] },
    { filter: {}, outcomes: ["3", "4", "2", "1"] },
    { filter: { agent: "gemini" }, outcomes: ["3"] },
    { filter: { since: at("12:00:02") }, outcomes: ["3", "4"] },
    { filter: { agent: "claude", since: at("12:00:01") }, outcomes: ["4"] },
  ];
  test.for(filters)("is listed newest first: $filter", async ({ filter, outcomes }) => {
    const store = await freshStore();
    for (const one of saves) await store.saves.record(one);
    expect((await store.saves.list(filter)).map(({ outcome }) => outcome)).toEqual(outcomes);
  });
});

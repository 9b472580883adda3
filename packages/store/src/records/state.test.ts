import { describe, expect, test } from "vitest";
import type { Store } from "../store.ts";
import { openedStore } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import type { StateRow } from "./state.ts";

const noon = new Date("2026-01-01T12:00:00Z");
const KEY = "session/claude/session-1";

/** A store that knows one session. */
async function usedStore(): Promise<Store> {
  const store = await openedStore(temporaryHome(), { now: () => noon });
  await store.updateSession("claude", "session-1", {
    projectPath: "/project",
    workingSlug: "slug",
    touchedFiles: ["a.ts"],
    baseline: { "b.ts": "1" },
    contextMark: { at: noon, isArmed: true, hasFailed: false },
  });
  return store;
}

async function held(store: Store, key: string): Promise<StateRow> {
  const state = await store.getState(key);
  if (state === null) throw new Error(`${key} is absent`);
  return state;
}

describe("the keys", () => {
  const cases = [
    { prefix: "", keys: ["session/claude/a", "session/claude/b/c", "session/codex/a"] },
    { prefix: "session/claude/", keys: ["session/claude/a", "session/claude/b/c"] },
    { prefix: "session/claude/b", keys: ["session/claude/b/c"] },
    { prefix: "session/%", keys: [] },
    { prefix: "stop/", keys: [] },
  ];
  test.for(cases)("that begin with `$prefix`", async ({ prefix, keys }) => {
    const store = await openedStore(temporaryHome());
    await store.updateSession("codex", "a", {});
    await store.updateSession("claude", "b/c", {});
    await store.updateSession("claude", "a", {});
    expect(await store.listStateKeys(prefix)).toEqual(keys);
  });

  test.for(["", "session", "session/claude", "session/claude/", "session/nobody/a", "stops/claude/a"])(
    "do not include `%s`",
    async (key) => {
      const store = await usedStore();
      const unusable = expect.objectContaining({ name: "StoreError", reason: "unusable" });
      await expect(store.getState(key)).rejects.toEqual(unusable);
      await expect(store.setState(key, null, undefined)).rejects.toEqual(unusable);
    },
  );
});

describe("a value", () => {
  test("brings the session back as it was", async () => {
    const store = await usedStore();
    const session = await store.getSession("claude", "session-1");
    const { value, version } = await held(store, KEY);
    await store.updateSession("claude", "session-1", { workingSlug: "other", touchedFiles: ["c.ts"], baseline: null });
    expect(await store.setState(KEY, value, undefined)).toBe("done");
    expect(await store.getSession("claude", "session-1")).toEqual(session);
    expect(await held(store, KEY)).toEqual({ value, version });
  });

  test("has a version that changes with the session", async () => {
    const store = await usedStore();
    const { version } = await held(store, KEY);
    expect((await held(store, KEY)).version).toBe(version);
    await store.updateSession("claude", "session-1", { readUpTo: 1 });
    expect((await held(store, KEY)).version).not.toBe(version);
  });

  test("is absent where there is no such session", async () => {
    const store = await usedStore();
    expect(await store.getState("session/claude/session-2")).toBeNull();
    expect(await store.getState("session/gemini/session-1")).toBeNull();
  });

  test("may be put into a store that does not know the session", async () => {
    const { value } = await held(await usedStore(), KEY);
    const store = await openedStore(temporaryHome());
    expect(await store.setState(KEY, value, null)).toBe("done");
    expect((await held(store, KEY)).value).toEqual(value);
  });

  test("may be none: the session goes, and no other", async () => {
    const store = await usedStore();
    await store.updateSession("claude", "session-2", {});
    expect(await store.setState(KEY, null, undefined)).toBe("done");
    expect(await store.listStateKeys("")).toEqual(["session/claude/session-2"]);
  });

  const foreign = [
    { title: "of another session", fields: { session_id: "session-2" } },
    { title: "of another agent", fields: { agent: "codex" } },
    { title: "with a column that there is not", fields: { 'x" , "y': 1 } },
    { title: "with a text for a number", fields: { read_up_to: "far" } },
    { title: "without what every row has", fields: { first_seen_at: null } },
  ];
  test.for(foreign)("$title is refused, and the session stays", async ({ fields }) => {
    const store = await usedStore();
    const before = await held(store, KEY);
    await expect(store.setState(KEY, { ...before.value, ...fields }, undefined)).rejects.toEqual(
      expect.objectContaining({ name: "StoreError", reason: "unusable" }),
    );
    expect(await held(store, KEY)).toEqual(before);
  });
});

describe("an expected version", () => {
  const expectations = [
    { expected: "this one", of: (version: string) => version, outcome: "done" },
    { expected: "any", of: () => undefined, outcome: "done" },
    { expected: "another one", of: () => "0".repeat(64), outcome: "conflict" },
    { expected: "none", of: () => null, outcome: "conflict" },
  ];
  test.for(expectations)("of a key that is there: $expected, $outcome", async ({ of, outcome }) => {
    const store = await usedStore();
    const { version } = await held(store, KEY);
    expect(await store.setState(KEY, null, of(version))).toBe(outcome);
    expect(await store.listStateKeys("")).toEqual(outcome === "done" ? [] : [KEY]);
  });

  const absent = [
    { expected: "none", given: null, outcome: "done" },
    { expected: "any", given: undefined, outcome: "done" },
    { expected: "some", given: "0".repeat(64), outcome: "conflict" },
  ];
  test.for(absent)("of a key that is not there: $expected, $outcome", async ({ given, outcome }) => {
    const { value } = await held(await usedStore(), KEY);
    const store = await openedStore(temporaryHome());
    expect(await store.setState(KEY, value, given)).toBe(outcome);
    expect(await store.listStateKeys("")).toEqual(outcome === "done" ? [KEY] : []);
  });
});

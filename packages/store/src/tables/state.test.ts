import { describe, expect, onTestFinished, test } from "vitest";
import { openState } from "../open-store.ts";
import type { State, Store } from "../store.ts";
import { openedStore, sessionOf } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import type { StateRow } from "./state.ts";

const noon = new Date("2026-01-01T12:00:00Z");
const KEY = "session/claude/session-1";

interface Opened {
  readonly store: Store;
  readonly state: State;
}

/** A store and the rows of its sessions, both closed after the test. */
async function opened(): Promise<Opened> {
  const home = temporaryHome();
  const store = await openedStore(home, { now: () => noon });
  const result = await openState(home);
  if (!result.ok) throw new Error(result.detail);
  onTestFinished(() => result.state.close());
  return { store, state: result.state };
}

/** The same with one session. */
async function openedWithSession(): Promise<Opened> {
  const made = await opened();
  await made.store.sessions.update("claude", "session-1", {
    projectPath: "/project",
    workingSlug: "slug",
    touchedFiles: ["a.ts"],
    baseline: { "b.ts": "1" },
    contextMark: { at: noon, isArmed: true, hasFailed: false },
  });
  return made;
}

async function held(state: State, key: string): Promise<StateRow> {
  const row = (await state.list(key)).find((one) => one.key === key);
  if (row === undefined) throw new Error(`${key} is absent`);
  return row;
}

async function keysOf(state: State, prefix = ""): Promise<string[]> {
  return (await state.list(prefix)).map(({ key }) => key);
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
    const { store, state } = await opened();
    await store.sessions.update("codex", "a", {});
    await store.sessions.update("claude", "b/c", {});
    await store.sessions.update("claude", "a", {});
    expect(await keysOf(state, prefix)).toEqual(keys);
  });

  test.for(["", "session", "session/claude", "session/claude/", "session/nobody/a", "stops/claude/a"])(
    "do not include `%s`",
    async (key) => {
      const { state } = await openedWithSession();
      const unusable = expect.objectContaining({ name: "StoreError", reason: "unusable" });
      await expect(state.set(key, null, undefined)).rejects.toEqual(unusable);
    },
  );
});

describe("a value", () => {
  test("brings the session back as it was", async () => {
    const { store, state } = await openedWithSession();
    const session = await sessionOf(store, "claude", "session-1");
    const { value, version } = await held(state, KEY);
    await store.sessions.update("claude", "session-1", {
      workingSlug: "other",
      touchedFiles: ["c.ts"],
      baseline: null,
    });
    expect(await state.set(KEY, value, undefined)).toBe("done");
    expect(await sessionOf(store, "claude", "session-1")).toEqual(session);
    expect(await held(state, KEY)).toEqual({ key: KEY, value, version });
  });

  test("has a version that changes with the session", async () => {
    const { store, state } = await openedWithSession();
    const { version } = await held(state, KEY);
    expect((await held(state, KEY)).version).toBe(version);
    await store.sessions.update("claude", "session-1", { readUpTo: 1 });
    expect((await held(state, KEY)).version).not.toBe(version);
  });

  test("is absent where there is no such session", async () => {
    const { state } = await openedWithSession();
    expect(await keysOf(state, "session/claude/session-2")).toEqual([]);
    expect(await keysOf(state, "session/gemini/session-1")).toEqual([]);
  });

  test("may be put into a store that does not know the session", async () => {
    const { value } = await held((await openedWithSession()).state, KEY);
    const { state } = await opened();
    expect(await state.set(KEY, value, null)).toBe("done");
    expect((await held(state, KEY)).value).toEqual(value);
  });

  test("may be none: the session goes, and no other", async () => {
    const { store, state } = await openedWithSession();
    await store.sessions.update("claude", "session-2", {});
    expect(await state.set(KEY, null, undefined)).toBe("done");
    expect(await keysOf(state)).toEqual(["session/claude/session-2"]);
  });

  const foreign = [
    { title: "of another session", fields: { sessionId: "session-2" } },
    { title: "of another agent", fields: { agent: "codex" } },
    { title: "with a column that there is not", fields: { 'x" , "y': 1 } },
    { title: "with a text for a number", fields: { readUpTo: "far" } },
    { title: "without what every row has", fields: { firstSeenAt: null } },
  ];
  test.for(foreign)("$title is refused, and the session stays", async ({ fields }) => {
    const { state } = await openedWithSession();
    const before = await held(state, KEY);
    await expect(state.set(KEY, { ...before.value, ...fields }, undefined)).rejects.toEqual(
      expect.objectContaining({ name: "StoreError", reason: "unusable" }),
    );
    expect(await held(state, KEY)).toEqual(before);
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
    const { state } = await openedWithSession();
    const { version } = await held(state, KEY);
    expect(await state.set(KEY, null, of(version))).toBe(outcome);
    expect(await keysOf(state)).toEqual(outcome === "done" ? [] : [KEY]);
  });

  const absent = [
    { expected: "none", given: null, outcome: "done" },
    { expected: "any", given: undefined, outcome: "done" },
    { expected: "some", given: "0".repeat(64), outcome: "conflict" },
  ];
  test.for(absent)("of a key that is not there: $expected, $outcome", async ({ given, outcome }) => {
    const { value } = await held((await openedWithSession()).state, KEY);
    const { state } = await opened();
    expect(await state.set(KEY, value, given)).toBe(outcome);
    expect(await keysOf(state)).toEqual(outcome === "done" ? [KEY] : []);
  });
});

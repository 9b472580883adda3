import { expect, test } from "vitest";
import fc from "fast-check";
import { openStore } from "@agent-checkpoint/store";
import type { SafetyOptions } from "../place.ts";
import { createCheckpoint, restoreCheckpoint, verifyCheckpoints } from "../index.ts";
import type { StateAdapter, StateJson } from "../state-adapter.ts";
import { createWorkspace } from "../testing/workspace.ts";

/** A store of keys in memory; versions count up. */
function memory(start: Readonly<Record<string, StateJson>>, { hasVersions = true } = {}) {
  const held = new Map(Object.entries(start).map(([key, value], index) => [key, { value, version: `v${index}` }]));
  let count = held.size;
  const isExpected = (key: string, expected?: { readonly version: string | null }): boolean =>
    expected === undefined || expected.version === (held.get(key)?.version ?? null);
  const adapter: StateAdapter = {
    name: "memory",
    hasVersions,
    list: async (prefix) => [...held.keys()].filter((key) => key.startsWith(prefix)),
    get: async (key) => held.get(key) ?? null,
    set: async (key, value, expected) => {
      if (!isExpected(key, expected)) return "conflict";
      held.set(key, { value, version: `v${(count += 1)}` });
      return "done";
    },
    delete: async (key, expected) => {
      if (!isExpected(key, expected)) return "conflict";
      held.delete(key);
      return "done";
    },
  };
  return { adapter, held, values: () => Object.fromEntries([...held].map(([key, { value }]) => [key, value])) };
}

async function create(scope: readonly string[], options: SafetyOptions) {
  const made = await createCheckpoint({ scope }, options);
  if (made.status !== "created") throw new Error(`${made.code}: ${made.message}`);
  return { report: made.report, id: made.report.checkpoint?.id ?? "" };
}

test.for([true, false])("keys come back, absent ones go, others stay (versions: %s)", async (hasVersions) => {
  const { adapter, values } = memory({ "a/b": { z: 1, a: [null, "x"] }, flag: true, other: 1 }, { hasVersions });
  const options = { ...createWorkspace().options, state: adapter };
  const { report, id } = await create(["state:a/b", "state:flag", "state:later"], options);
  expect(report.checkpoint).toMatchObject({
    type: "state_snapshot",
    scope: { files: [], state_keys: ["a/b", "flag", "later"] },
  });
  expect(report.pre_mutation_state.summary).toBe("2 keys, 1 recorded as absent, 26 bytes");
  await adapter.set("a/b", "changed");
  await adapter.delete("flag");
  await adapter.set("later", 1);
  await adapter.set("other", 2);
  const back = await restoreCheckpoint({ id }, options);
  expect(back).toMatchObject({ status: "restored", report: { rolled_back: true, verification: { match: true } } });
  expect(values()).toEqual({ "a/b": { a: [null, "x"], z: 1 }, flag: true, other: 2 });
  const undo = back.status === "restored" ? (back.report.undo?.checkpoint_id ?? "") : "";
  expect(await restoreCheckpoint({ id: undo }, options)).toMatchObject({ report: { verification: { match: true } } });
  expect(values()).toEqual({ "a/b": "changed", later: 1, other: 2 });
});

test("the same value has the same hash, whatever the order of its keys", async () => {
  const { adapter } = memory({ k: { a: 1, b: { c: 2, d: 3 } } });
  const options = { ...createWorkspace().options, state: adapter };
  const first = await create(["state:k"], options);
  await adapter.set("k", { b: { d: 3, c: 2 }, a: 1 });
  expect((await create(["state:k"], options)).report.pre_mutation_state.hash).toBe(
    first.report.pre_mutation_state.hash,
  );
  expect(await restoreCheckpoint({ id: first.id }, options)).toMatchObject({
    report: { changes_reverted: [], undo: null },
  });
  expect(await verifyCheckpoints(first.id, options)).toMatchObject({ status: "verified" });
});

test("a prefix covers what is there; keys that appear since are kept and named, or removed when asked", async () => {
  const { adapter, values } = memory({ "s/1": 1, "s/2": 2, t: 3 });
  const options = { ...createWorkspace().options, state: adapter };
  const { id } = await create(["state:s/*"], options);
  await adapter.set("s/3", 3);
  await adapter.delete("s/1");
  expect(await restoreCheckpoint({ id }, options)).toMatchObject({ report: { kept: ["state:s/3"] } });
  expect(values()).toEqual({ "s/1": 1, "s/2": 2, "s/3": 3, t: 3 });
  expect(await restoreCheckpoint({ id, removeNew: true }, options)).toMatchObject({ report: { kept: [] } });
  expect(values()).toEqual({ "s/1": 1, "s/2": 2, t: 3 });
});

test("only a part of the keys, where that is asked for", async () => {
  const { adapter, values } = memory({ a: 1, b: 2 });
  const options = { ...createWorkspace().options, state: adapter };
  const { id } = await create(["state:a", "state:b"], options);
  await adapter.set("a", 10);
  await adapter.set("b", 20);
  expect(await restoreCheckpoint({ id, scope: ["state:b"] }, options)).toMatchObject({ status: "restored" });
  expect(values()).toEqual({ a: 10, b: 2 });
});

test("a key that is changed between the look and the write is left alone, and everything goes back to what it was", async () => {
  const { adapter, values } = memory({ a: 1, b: 2 });
  const options = { ...createWorkspace().options, state: adapter };
  const { id } = await create(["state:a", "state:b"], options);
  await adapter.set("a", 10);
  await adapter.set("b", 20);
  const racing: StateAdapter = {
    ...adapter,
    set: async (key, value, expected) => {
      // Somebody else is faster, after the key was read.
      if (key === "b") await adapter.set("b", "theirs");
      return adapter.set(key, value, expected);
    },
  };
  expect(await restoreCheckpoint({ id }, { ...options, state: racing })).toMatchObject({
    status: "refused",
    code: "changed-by-others",
  });
  expect(values()).toEqual({ a: 10, b: "theirs" });
});

test("a restore that breaks off in the middle goes back to what was there", async () => {
  const { adapter, values } = memory({ a: 1, b: 2 });
  const options = { ...createWorkspace().options, state: adapter };
  const { id } = await create(["state:a", "state:b"], options);
  await adapter.set("a", 10);
  await adapter.set("b", 20);
  const broken: StateAdapter = {
    ...adapter,
    set: (key, value, expected) =>
      key === "b" ? Promise.reject(new Error("the power went")) : adapter.set(key, value, expected),
  };
  await expect(restoreCheckpoint({ id }, { ...options, state: broken })).rejects.toThrow("the power went");
  expect(values()).toEqual({ a: 10, b: 20 });
});

const wrong = [
  { what: "NaN", value: Number.NaN },
  { what: "a bigint", value: 1n },
  { what: "a function", value: () => 1 },
  { what: "undefined inside", value: { a: undefined } },
  { what: "a date", value: new Date(0) },
];

test.for(wrong)("$what is no value of a state", async ({ value }) => {
  const { adapter } = memory({});
  const odd = { ...adapter, get: async () => ({ value: value as StateJson, version: null }) };
  expect(await createCheckpoint({ scope: "state:k" }, { ...createWorkspace().options, state: odd })).toMatchObject({
    status: "refused",
    code: "bad-input",
  });
});

test("a value with a secret is left out, and a restore never touches it", async () => {
  const key = `ghp_${"a1B2".repeat(9)}`;
  const { adapter, values } = memory({ a: 1, token: { github: key } });
  const options = { ...createWorkspace().options, state: adapter };
  const { report, id } = await create(["state:*"], options);
  expect(report.excluded).toMatchObject([{ path: "state:token", rule: "secret-github" }]);
  await adapter.set("token", "new");
  expect(await restoreCheckpoint({ id, removeNew: true }, options)).toMatchObject({ status: "restored" });
  expect(values()).toEqual({ a: 1, token: "new" });
});

test("any keys and values survive", async () => {
  const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<StateJson>;
  const keys = fc
    .string({ minLength: 1, unit: "grapheme" })
    .filter((key) => !key.includes("\0") && !key.endsWith("*") && key.trim() !== "");
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(keys, json, { minKeys: 1, maxKeys: 5, noNullPrototype: true }),
      json,
      async (start, after) => {
        const { adapter, values } = memory(start);
        const options = { ...createWorkspace().options, state: adapter };
        const before = JSON.parse(JSON.stringify(values())) as unknown;
        const { id } = await create(
          Object.keys(start).map((key) => `state:${key}`),
          options,
        );
        for (const key of Object.keys(start)) await adapter.set(key, after);
        expect(await restoreCheckpoint({ id }, options)).toMatchObject({ report: { verification: { match: true } } });
        expect(values()).toEqual(before);
      },
    ),
    { numRuns: 20 },
  );
});

test("our own store is the state where no other was given", async () => {
  const { options } = createWorkspace();
  const opened = await openStore(options.home);
  if (!opened.ok) throw new Error(opened.detail);
  const { store } = opened;
  await store.sessions.update("claude", "one", { workingSlug: "before" });
  const { id, report } = await create(["state:session/claude/one", "state:session/claude/two"], options);
  expect(report.checkpoint?.scope.state_keys).toEqual(["session/claude/one", "session/claude/two"]);
  await store.sessions.update("claude", "one", { workingSlug: "after" });
  await store.sessions.update("claude", "two", { workingSlug: "new" });
  expect(await restoreCheckpoint({ id }, options)).toMatchObject({
    status: "restored",
    report: { verification: { match: true } },
  });
  expect((await store.sessions.list({ agent: "claude", sessionId: "one" }))[0]?.workingSlug).toBe("before");
  expect(await store.sessions.list({ agent: "claude", sessionId: "two" })).toEqual([]);
  await store.close();
  expect(await restoreCheckpoint({ id }, { ...options, home: options.userHome })).toMatchObject({
    status: "refused",
    message: expect.stringContaining(`is of the state in \`agent-checkpoint in ${options.home}\``),
  });
  expect(await createCheckpoint({ scope: "state:nonsense" }, options)).toMatchObject({
    status: "refused",
    code: "bad-input",
  });
});

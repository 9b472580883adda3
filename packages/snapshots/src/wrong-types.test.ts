import { expect, test } from "vitest";
import * as snapshots from "./index.ts";
import { createWorkspace } from "./testing/workspace.ts";

/** Calls as a program without types makes them. */
type Untyped = (...args: readonly unknown[]) => Promise<unknown>;
const untyped = snapshots as unknown as Readonly<Record<string, Untyped>>;

const CALLS: readonly { readonly name: string; readonly args: readonly unknown[] }[] = [
  { name: "createCheckpoint", args: [{ scope: 5 }] },
  { name: "createCheckpoint", args: [null] },
  { name: "restoreCheckpoint", args: [{ id: 5 }] },
  { name: "restoreCheckpoint", args: [{ id: "chk_20310131_120000_a1b2c3", scope: [1] }] },
  { name: "restoreCheckpoint", args: [{ id: "chk_20310131_120000_a1b2c3", force: "yes" }] },
  { name: "restoreCheckpoint", args: [null] },
  { name: "diffCheckpoint", args: [{ id: null }] },
  { name: "restoreCheckpoint", args: [{ id: "chk_20310131_120000_a1b2c3", activityOf: 5 }] },
  { name: "textDiff", args: [{ id: 5, form: "stat" }] },
  { name: "textDiff", args: [{ id: "chk_20310131_120000_a1b2c3", form: "html" }] },
  { name: "checkRequest", args: [{ scope: { a: 1 } }] },
  { name: "noteInAudit", args: [5] },
  { name: "restoreInto", args: [5, "folder"] },
  { name: "restoreInto", args: ["chk_20310131_120000_a1b2c3", null] },
  { name: "showCheckpoint", args: [{}] },
  { name: "deleteCheckpoint", args: [undefined] },
  { name: "pinCheckpoint", args: [["a"]] },
  { name: "verifyCheckpoints", args: [5] },
  { name: "resolveId", args: [5] },
  { name: "noteWrites", args: [5] },
  { name: "noteWrites", args: [["a", null]] },
];

test.for(CALLS)("$name with $args is refused", async ({ name, args }) => {
  const { options } = createWorkspace();
  expect(await untyped[name]?.(...args, options)).toMatchObject({ status: "refused", code: "bad-input" });
});

const OF_OPTIONS = ["listCheckpoints", "collectGarbage", "abandonRestore"].map((name) => ({
  name,
  before: [] as unknown[],
}));
const OF_ALL = CALLS.map(({ name, args }) => ({ name, before: args.map(() => "x") }));

const WRONG_OPTIONS: readonly object[] = [
  { cwd: 5 },
  { home: undefined },
  { root: 5 },
  { store: [] },
  { program: "checkpoint" },
  { session: {} },
  { now: 5 },
  { progress: "yes" },
  { step: {} },
  { limits: 5 },
  { limits: { files: "many" } },
  { lockWaitMs: "1s" },
  { undoDays: "30" },
  { state: "here" },
  { env: "PATH" },
  { databaseWaitMs: null, level: 5 },
  { apply: "yes" },
  { youngMs: "1h" },
  { liveSessions: "S" },
  { everyRoot: 1 },
  { isPinned: "no" },
];
test.for(WRONG_OPTIONS)("the options %j are refused", async (wrong) => {
  const { options } = createWorkspace();
  expect(await untyped["listCheckpoints"]?.({ ...options, ...wrong })).toMatchObject({ code: "bad-input" });
});

test("a level that there is not is refused, and nothing is verified less", async () => {
  const { options } = createWorkspace();
  expect(await untyped["verifyCheckpoints"]?.(null, { ...options, level: "deep" })).toMatchObject({
    code: "bad-input",
  });
});

test.for([...OF_OPTIONS, ...OF_ALL])(
  "$name without a folder, or without options, is refused",
  async ({ name, before }) => {
    const { options } = createWorkspace();
    for (const wrong of [{ ...options, cwd: 5 }, { ...options, home: undefined }, null])
      expect(await untyped[name]?.(...before, wrong)).toMatchObject({ status: "refused", code: "bad-input" });
  },
);

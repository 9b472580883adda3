import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { collectGarbage, createCheckpoint, pinCheckpoint, restoreCheckpoint, verifyCheckpoints } from "./index.ts";
import { allContents, damage, objectOf } from "./testing/damage.ts";
import { createWorkspace } from "./testing/workspace.ts";
import { type Candidate, planGc } from "./manage.ts";

const DAY = 86_400_000;

test("only what has expired goes, and what the others need of its contents stays", async () => {
  const { options, write, read, root } = createWorkspace({
    committed: { "a.txt": "shared\n", "b.txt": "shared too\n" },
  });
  const mark = async (scope: string, expiry: string): Promise<string> => {
    const made = await createCheckpoint({ scope, expiry }, options);
    return made.status === "created" ? (made.report.checkpoint?.id ?? "") : "";
  };
  const first = await mark(".", "1h");
  const pinned = await mark("a.txt", "1h");
  const kept = await mark("b.txt", "never");
  await pinCheckpoint(pinned, options);
  const later = { ...options, now: () => new Date(Date.now() + 2 * DAY) };
  const expected = [
    { id: first, keep: false, reason: "expired" },
    { id: pinned, keep: true, reason: "pinned" },
    { id: kept, keep: true, reason: "not expired" },
  ];
  expect(await collectGarbage(later)).toMatchObject({ status: "planned", decisions: expected });
  expect(idsIn(join(root, ".git/agent-checkpoint"))).toHaveLength(3);
  expect(await collectGarbage({ ...later, apply: true })).toMatchObject({ status: "collected", decisions: expected });
  expect(idsIn(join(root, ".git/agent-checkpoint"))).toEqual([pinned, kept].sort());
  expect(await verifyCheckpoints(null, options)).toMatchObject({ status: "verified", verifications: [{}, {}] });
  write("b.txt", "broken\n");
  expect(await restoreCheckpoint({ id: kept }, options)).toMatchObject({ status: "restored" });
  expect(read("b.txt")).toBe("shared too\n");
  expect(await restoreCheckpoint({ id: first }, options)).toMatchObject({ code: "unknown-checkpoint" });
});

describe("a damaged checkpoint in the store", () => {
  test.for(["manifest", "entries"] as const)(
    "its %s: others are deleted, and nothing that it could need",
    async (what) => {
      const { options, write, root } = createWorkspace({ committed: { "a.txt": "one\n", "b.txt": "shared\n" } });
      const store = join(root, ".git/agent-checkpoint");
      const mark = async (scope: string, expiry: string): Promise<string> =>
        (await createCheckpoint({ scope, expiry }, options)).report.checkpoint?.id ?? "";
      const id = await mark("b.txt", "never");
      write("a.txt", "two\n");
      const expired = await mark(".", "1h");
      const mend = damage(store, objectOf(store, id, what));
      const later = { ...options, apply: true, now: () => new Date(Date.now() + 2 * DAY) };
      expect(await collectGarbage(later)).toMatchObject({
        status: "collected",
        decisions: expect.arrayContaining([{ id: expired, keep: false, reason: "expired" }]),
      });
      expect(idsIn(store)).toEqual([id]);
      // Mended, it is whole, and what nothing needs any more goes with the next run.
      mend();
      expect(await collectGarbage(later)).toMatchObject({ status: "collected", notes: [] });
      expect(allContents(store)).not.toContain("two\n");
      expect(await verifyCheckpoints(null, options)).toMatchObject({ status: "verified", verifications: [{ id }] });
      write("b.txt", "broken\n");
      expect(await restoreCheckpoint({ id }, options)).toMatchObject({ status: "restored" });
    },
  );

  test("a damaged content that another one needs: it is named, and capturing it again heals it", async () => {
    const { options, root, write, read } = createWorkspace({ committed: { "a.txt": "one\n", "b.txt": "shared\n" } });
    const store = join(root, ".git/agent-checkpoint");
    const mark = async (scope: string, expiry: string): Promise<string> =>
      (await createCheckpoint({ scope, expiry }, options)).report.checkpoint?.id ?? "";
    const id = await mark("b.txt", "never");
    damage(store, objectOf(store, id, { file: "b.txt" }));
    expect(await verifyCheckpoints(null, options)).toMatchObject({
      status: "found",
      verifications: [{ id, failures: ["The contents of `b.txt` are missing or damaged."] }],
    });
    await mark(".", "never");
    expect(await verifyCheckpoints(null, options)).toMatchObject({ status: "verified", verifications: [{}, {}] });
    write("b.txt", "broken\n");
    expect(await restoreCheckpoint({ id }, options)).toMatchObject({ status: "restored" });
    expect(read("b.txt")).toBe("shared\n");
  });
});

/** The snapshots in a store. */
function idsIn(store: string): readonly string[] {
  return readdirSync(join(store, "snapshots.git/refs/snapshots")).sort();
}

const now = new Date("2031-01-31T12:00:00Z");
const candidate = (
  id: string,
  {
    age,
    expired = true,
    ...rest
  }: Partial<Candidate> & { readonly age: number; readonly expired?: boolean; readonly session?: string },
): Candidate => ({
  id,
  isPinned: rest.isPinned ?? false,
  isSound: rest.isSound ?? true,
  manifest: {
    ...MANIFEST,
    id,
    session: rest.session ?? null,
    createdAt: new Date(now.getTime() - age).toISOString(),
    expiresAt: expired ? new Date(now.getTime() - 1).toISOString() : null,
  },
});
const MANIFEST = {
  version: 2,
  id: "",
  sequence: 1,
  type: "file_backup",
  purpose: "asked",
  createdAt: "",
  expiresAt: null,
  reason: "",
  session: null,
  root: "/",
  workTree: null,
  scope: [],
  tree: "",
  counts: { entries: 0, files: 0, bytes: 0, uncommitted: null },
  summary: "",
  confidence: 1,
  assumptions: [],
  excluded: [],
  skipped: [],
  ignored: [],
  restoreCommand: "",
  drill: { entries: 0, provenBefore: 0 },
  git: null,
  details: {},
} as const;

test.for<[string, Candidate, string]>([
  ["expired", candidate("x", { age: 9 * DAY }), "expired"],
  ["not expired", candidate("x", { age: 9 * DAY, expired: false }), "not expired"],
  ["pinned", candidate("x", { age: 9 * DAY, isPinned: true }), "pinned"],
  ["young", candidate("x", { age: 1000 }), "too young"],
  [
    "of a session that was active a moment ago",
    candidate("x", { age: DAY / 2, session: "S" }),
    "the last one of a live session",
  ],
  [
    "of a session that is known to live",
    candidate("x", { age: 9 * DAY, session: "live" }),
    "the last one of a live session",
  ],
  ["of a session long gone", candidate("x", { age: 9 * DAY, session: "S" }), "expired"],
  ["unverified", candidate("x", { age: 9 * DAY, isSound: false }), "does not pass verification: look at it yourself"],
  ["damaged", { ...candidate("x", { age: 9 * DAY }), manifest: null }, "damaged: look at it yourself"],
])("%s", ([, row, reason]) => {
  const [decision] = planGc([row], { now, youngMs: 3_600_000, liveSessions: ["live"] });
  expect(decision?.reason).toBe(reason);
});

test("only the last checkpoint of a live session is held", () => {
  const rows = [
    candidate("old", { age: 9 * DAY, session: "live" }),
    candidate("new", { age: 8 * DAY, session: "live" }),
  ];
  expect(planGc(rows, { now, youngMs: 0, liveSessions: ["live"] }).map(({ keep }) => keep)).toEqual([false, true]);
});

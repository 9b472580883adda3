import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { collectGarbage, createCheckpoint, pinCheckpoint, restoreCheckpoint, verifyCheckpoints } from "../index.ts";
import { createWorkspace } from "../testing/workspace.ts";
import { type Candidate, planGc } from "./plan-gc.ts";

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
  expect(readdirSync(join(root, ".git/agent-checkpoint/checkpoints"))).toHaveLength(3);
  expect(await collectGarbage({ ...later, apply: true })).toMatchObject({ status: "collected", decisions: expected });
  expect(readdirSync(join(root, ".git/agent-checkpoint/checkpoints")).sort()).toEqual([pinned, kept].sort());
  expect(await verifyCheckpoints(null, options)).toMatchObject({ status: "verified", verifications: [{}, {}] });
  write("b.txt", "broken\n");
  expect(await restoreCheckpoint({ id: kept }, options)).toMatchObject({ status: "restored" });
  expect(read("b.txt")).toBe("shared too\n");
  expect(await restoreCheckpoint({ id: first }, options)).toMatchObject({ code: "unknown-checkpoint" });
});

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
  isSound: rest.isSound ?? (() => true),
  manifest: {
    ...MANIFEST,
    id,
    session: rest.session ?? null,
    createdAt: new Date(now.getTime() - age).toISOString(),
    expiresAt: expired ? new Date(now.getTime() - 1).toISOString() : null,
  },
});
const MANIFEST = {
  version: 1,
  id: "",
  type: "file_backup",
  purpose: "asked",
  createdAt: "",
  expiresAt: null,
  reason: "",
  session: null,
  root: "/",
  scope: [],
  tree: "",
  counts: { entries: 0, files: 0, lines: 0, bytes: 0, uncommitted: null },
  summary: "",
  confidence: 1,
  assumptions: [],
  excluded: [],
  skipped: [],
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
  [
    "unverified",
    candidate("x", { age: 9 * DAY, isSound: () => false }),
    "does not pass verification: look at it yourself",
  ],
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

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
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

describe("a damaged checkpoint in the store", () => {
  const DAMAGES: Readonly<Record<string, (store: string, id: string, tree: string) => void>> = {
    manifest: (store, id) => writeFileSync(join(store, "checkpoints", id, "manifest.json"), "{}"),
    tree: (store, _, tree) => writeFileSync(join(store, "trees", tree), "torn"),
  };

  test.for(Object.keys(DAMAGES))("its %s: others are deleted, and nothing that it could need", async (what) => {
    const { options, write, root } = createWorkspace({ committed: { "a.txt": "one\n", "b.txt": "shared\n" } });
    const store = join(root, ".git/agent-checkpoint");
    const mark = async (scope: string, expiry: string) => (await createCheckpoint({ scope, expiry }, options)).report;
    const damaged = await mark("b.txt", "never");
    write("a.txt", "two\n");
    const expired = await mark(".", "1h");
    const contents = (): readonly string[] =>
      ["packs", "trees"]
        .flatMap((folder) => readdirSync(join(store, folder)).map((name) => `${folder}/${name}`))
        .sort();
    const before = contents();
    const id = damaged.checkpoint?.id ?? "";
    const path = join(store, "checkpoints", id, "manifest.json");
    const whole = readFileSync(path, "utf8");
    const tree = damaged.pre_mutation_state.hash?.slice("sha256:".length) ?? "";
    const wholeTree = readFileSync(join(store, "trees", tree));
    DAMAGES[what]?.(store, id, tree);
    const later = { ...options, apply: true, now: () => new Date(Date.now() + 2 * DAY) };
    expect(await collectGarbage(later)).toMatchObject({
      status: "collected",
      freedBytes: 0,
      decisions: expect.arrayContaining([{ id: expired.checkpoint?.id, keep: false, reason: "expired" }]),
      notes: [
        `${id} is damaged, and what it needs cannot be known: all contents stay in the store. Look at it, delete its folder, and run gc again.`,
      ],
    });
    expect(readdirSync(join(store, "checkpoints"))).toEqual([id]);
    expect(contents()).toEqual(before);
    // Mended, it is whole, and what nobody needs any more goes with the next run.
    writeFileSync(path, whole);
    writeFileSync(join(store, "trees", tree), wholeTree);
    expect(await collectGarbage(later)).toMatchObject({ status: "collected", notes: [] });
    expect(contents().filter((name) => name.startsWith("trees/"))).toEqual([`trees/${tree}`]);
    expect(await verifyCheckpoints(null, options)).toMatchObject({ status: "verified", verifications: [{ id }] });
    write("b.txt", "broken\n");
    expect(await restoreCheckpoint({ id }, options)).toMatchObject({ status: "restored" });
  });

  test("a damaged content that another one needs: its pack stays as it is, the rest goes", async () => {
    const { options, write, root } = createWorkspace({ committed: { "a.txt": "one\n", "b.txt": "shared\n" } });
    const packs = join(root, ".git/agent-checkpoint/packs");
    const mark = async (scope: string, expiry: string): Promise<string> =>
      (await createCheckpoint({ scope, expiry }, options)).report.checkpoint?.id ?? "";
    const expired = await mark(".", "1h");
    const kept = await mark("b.txt", "never");
    write("a.txt", "only in the second\n");
    const second = await mark("a.txt", "1h");
    const pack = join(packs, `${expired}.pack`);
    writeFileSync(pack, readFileSync(pack, "latin1").replace("shared", "SHARED"), "latin1");
    const later = { ...options, apply: true, now: () => new Date(Date.now() + 2 * DAY) };
    expect(await collectGarbage(later)).toMatchObject({
      status: "collected",
      notes: [`The pack ${expired} holds a damaged content that another checkpoint needs: it stays.`],
    });
    expect(readdirSync(join(root, ".git/agent-checkpoint/checkpoints"))).toEqual([kept]);
    expect(readdirSync(packs)).toEqual([`${expired}.idx`, `${expired}.pack`]);
    expect(readdirSync(packs)).not.toContain(`${second}.pack`);
  });
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

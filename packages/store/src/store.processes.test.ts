import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildChildProgram, type ChildProgram, runTogether } from "../../../fixtures/src/child-processes.ts";
import { aStop } from "./testing/a-stop.ts";
import { openedStore } from "./testing/opened-store.ts";
import { temporaryHome } from "./testing/temporary-home.ts";

const LONG = 180_000;
const times = <Item>(count: number, item: (number: number) => Item) =>
  Array.from({ length: count }, (_, at) => item(at));

let program: ChildProgram;
beforeAll(async () => {
  program = await buildChildProgram(new URL("./testing/child.ts", import.meta.url));
});
afterAll(() => program.remove());

const child: ChildProgram["command"] = (...job) => program.command(...job);
const count = (outcomes: readonly unknown[], wanted: unknown) =>
  outcomes.filter((outcome) => JSON.stringify(outcome) === JSON.stringify(wanted)).length;

describe("many processes at once", { timeout: LONG }, () => {
  test("200 stops of different sessions on a fresh home: none is lost, none doubled", async () => {
    const home = temporaryHome();
    const outcomes = await runTogether(times(200, (number) => child("stop", home, `session-${number}`)));
    expect(count(outcomes, "recorded")).toBe(200);
    const store = await openedStore(home);
    const sessions = (await store.stops.list()).map(({ sessionId }) => sessionId);
    expect(sessions.toSorted()).toEqual(times(200, (number) => `session-${number}`).toSorted());
    expect(readdirSync(home).filter((name) => /new|corrupt/.test(name))).toEqual([]);
  });

  test("50 claims of one turn under names that overlap: exactly one is granted", async () => {
    const home = temporaryHome();
    const outcomes = await runTogether(times(50, (number) => child("claim", home, "s", `own-${number}`, "turn-1")));
    expect(count(outcomes, { claimed: true })).toBe(1);
    expect(count(outcomes, { claimed: false })).toBe(49);
    const store = await openedStore(home);
    expect(await store.stops.list()).toHaveLength(1);
  });

  test("a corrupt database is set aside once, and no stop of the new one is lost", async () => {
    const home = temporaryHome();
    mkdirSync(home);
    writeFileSync(join(home, "checkpoint.db"), "This is no database. ".repeat(500));
    const outcomes = await runTogether(times(40, (number) => child("stop", home, `session-${number}`)));
    expect(count(outcomes, "recorded")).toBe(40);
    const store = await openedStore(home);
    expect(await store.stops.list()).toHaveLength(40);
    const aside = readdirSync(home).filter((name) => /corrupt-\w+$/.test(name));
    expect(aside.map((name) => readFileSync(join(home, name), "utf8").slice(0, 20))).toEqual(["This is no database."]);
  });
});

test(
  "processes that write to the log at once never rotate one that another has just begun",
  { timeout: LONG },
  async () => {
    const home = temporaryHome();
    const outcomes = await runTogether(times(6, () => child("log", home, "4000")));
    expect(count(outcomes, { short: 0 })).toBe(6);
  },
);

test("the log does without SQLite", async () => {
  expect(await runTogether([child("write-lightly", temporaryHome())])).toEqual([false]);
});

test("a home that must not be written is reported, whether it exists or not", async () => {
  const folder = dirname(temporaryHome());
  const home = join(folder, "existing");
  const used = await openedStore(home);
  await used.close();
  chmodSync(folder, 0o755);
  for (const path of [home, folder]) chmodSync(path, 0o555);
  const outcomes = await runTogether([
    child("write-forbidden", home, temporaryHome()),
    child("write-forbidden", join(folder, "missing"), temporaryHome()),
  ]);
  expect(outcomes).toEqual([
    { record: "unusable", log: false },
    { record: "cannot-create", log: false },
  ]);
});

/** Runs a command with an empty disk of 1 MB in place of a folder, where the system lets us mount one. */
const ON_SMALL_DISK =
  'exec unshare --map-root-user --mount sh -c \'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"\' "$0" "$@"';
const onSmallDisk = (folder: string, command: readonly string[]) => ["sh", "-c", ON_SMALL_DISK, folder, ...command];
const canMount = spawnSync("sh", ["-c", ON_SMALL_DISK, tmpdir(), "true"]).status === 0;

test.runIf(canMount)("a full disk is reported, and what was recorded before stays", async () => {
  const home = temporaryHome();
  mkdirSync(home);
  const [outcome] = await runTogether([onSmallDisk(home, child("write-when-full", home))]);
  const full = { record: "disk-full", log: false };
  expect(outcome).toEqual({
    whenFull: { used: full, fresh: full },
    later: { record: "recorded", log: true },
    reasons: ["timer", "before"],
    strange: [],
  });
});

/** Runs a command whose nth read of a file fails as on a broken disk, if the system lets us trace it. */
const failingRead = (path: string, nth: number, command: readonly string[]) =>
  ["strace", "-f", "-qq", "-o", "/dev/null", "-P", path, "-e", `inject=pread64:error=EIO:when=${nth}`].concat(command);
const canTrace = spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;

test.runIf(canTrace).for(times(8, (number) => number + 1))(
  "a read of the database that the disk fails, number %i, loses neither the database nor the block",
  { timeout: LONG },
  async (nth) => {
    const home = temporaryHome();
    const store = await openedStore(home);
    const claim = { agent: "claude", sessionId: "s", turns: ["turn-1"], at: new Date(), stop: aStop() } as const;
    await store.stops.claimBlock(claim);
    await store.close();
    const [outcome] = await runTogether([
      failingRead(join(home, "checkpoint.db"), nth, child("try-claim", home, "s", "turn-1")),
    ]);
    expect([{ claimed: false }, "unusable"]).toContainEqual(outcome);
    expect(readdirSync(home).filter((name) => name.includes("corrupt"))).toEqual([]);
    const again = await openedStore(home);
    expect(await again.stops.isBlocked("claude", "s", ["turn-1"])).toBe(true);
  },
);

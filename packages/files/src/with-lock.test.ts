import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findLockOwner, thisProcess } from "./owner.ts";
import { rotateFile, takeLock, withLock, withLockSync } from "./with-lock.ts";

const me = thisProcess();
const ages = { now: 0, old: 120_000 };
const options = { waitMs: 50, staleAfterMs: 60_000 };

/** A folder of its own, and in it the place of a lock. */
function aPlace() {
  const home = mkdtempSync(join(tmpdir(), "checkpoint-lock-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { home, folder: join(home, "lock") };
}

const ways = [
  { way: "sync", run: async (folder: string) => withLockSync(folder, options, () => "done") },
  { way: "async", run: (folder: string) => withLock(folder, options, async () => "done") },
];

const locks = [
  { name: "a living process", owner: me, age: ages.now, isFree: false },
  { name: "a living process that takes its time", owner: me, age: ages.old, isFree: false },
  { name: "a process that is gone", owner: { ...me, pid: 2 ** 22 + 1 }, age: ages.now, isFree: true },
  { name: "a process whose number another one has now", owner: { ...me, started: "1" }, age: ages.now, isFree: true },
  { name: "a process of another machine", owner: { ...me, host: "elsewhere" }, age: ages.now, isFree: false },
  { name: "a process of another machine, long ago", owner: { ...me, host: "elsewhere" }, age: ages.old, isFree: true },
  { name: "a process without a start", owner: { ...me, started: null }, age: ages.now, isFree: false },
  { name: "a process without a start, long ago", owner: { ...me, started: null }, age: ages.old, isFree: true },
  { name: "an owner that cannot be read", owner: "", age: ages.now, isFree: false },
  { name: "an owner that cannot be read, long ago", owner: "", age: ages.old, isFree: true },
];
describe.for(ways)("$way", ({ run }) => {
  test.for(locks)("a lock of $name: free is $isFree", async ({ owner, age, isFree }) => {
    const { home, folder } = aPlace();
    writeMark(folder, owner, age);
    expect((await run(folder)).ok).toBe(isFree);
    expect(readdirSync(home)).toEqual(isFree ? [] : ["lock"]);
  });

  test("an empty folder of that name is no lock", async () => {
    const { home, folder } = aPlace();
    mkdirSync(folder);
    expect(await run(folder)).toEqual({ ok: true, value: "done" });
    expect(readdirSync(home)).toEqual([]);
  });

  test("a file of that name is in the way", async () => {
    const { home, folder } = aPlace();
    writeFileSync(folder, "mine");
    await expect(run(folder)).rejects.toThrow("ENOTDIR");
    expect(readdirSync(home)).toEqual(["lock"]);
  });

  test("a refusal says which process holds the lock", async () => {
    const { folder } = aPlace();
    writeMark(folder, me, 0);
    const detail = `${folder} is held by process ${me.pid} on ${me.host}`;
    expect(await run(folder)).toEqual({ ok: false, reason: "locked", detail });
  });
});

test("a lock is given back after work that throws", async () => {
  const { home, folder } = aPlace();
  expect(() => withLockSync(folder, options, () => JSON.parse("{"))).toThrow("JSON");
  await expect(withLock(folder, options, async () => JSON.parse("{"))).rejects.toThrow("JSON");
  const during = withLockSync(folder, options, () => readdirSync(folder));
  expect(during).toEqual({ ok: true, value: [expect.stringMatching(/^owner-/)] });
  expect(readdirSync(home)).toEqual([]);
});

test("a process whose lock was taken over sees that, and leaves the new lock alone", () => {
  const { folder } = aPlace();
  const held = withLockSync(folder, options, ({ isHeld }) => {
    const before = isHeld();
    const [mark = ""] = readdirSync(folder);
    renameSync(join(folder, mark), join(folder, "owner-other"));
    return [before, isHeld()];
  });
  expect(held).toEqual({ ok: true, value: [true, false] });
  expect(readdirSync(folder)).toEqual(["owner-other"]);
});

test("work under one lock never overlaps", async () => {
  const { folder } = aPlace();
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setTimeout(resolve, 2));
    inside -= 1;
  };
  const results = await Promise.all(Array.from({ length: 20 }, () => withLock(folder, { waitMs: 15_000 }, work)));
  expect(results.every(({ ok }) => ok)).toBe(true);
  expect(most).toBe(1);
});

test("a lock that is taken is held until it is released", () => {
  const { home, folder } = aPlace();
  const first = takeLock(folder);
  expect(first).toMatchObject({ ok: true });
  expect(findLockOwner(folder)).toMatchObject(me);
  expect(takeLock(folder)).toMatchObject({ ok: false, owner: me });
  if (first.ok) first.lock.release();
  expect(findLockOwner(folder)).toBeNull();
  expect(readdirSync(home)).toEqual([]);
});

test("a file in the place of a lock is left alone", () => {
  const { home, folder } = aPlace();
  writeFileSync(folder, "mine");
  expect(findLockOwner(folder)).toBeNull();
  expect(() => takeLock(folder)).toThrow("ENOTDIR");
  expect(readdirSync(home)).toEqual(["lock"]);
});

test.for(locks.filter(({ owner }) => owner !== me))("a lock of $name does not keep a machine's one process", (row) => {
  const { folder } = aPlace();
  writeMark(folder, row.owner, row.age + 1000);
  expect(findLockOwner(folder)).toBeNull();
  expect(takeLock(folder).ok).toBe(true);
});

function writeMark(folder: string, owner: unknown, age: number): void {
  mkdirSync(folder);
  const mark = join(folder, "owner-0");
  writeFileSync(mark, typeof owner === "string" ? owner : JSON.stringify(owner));
  const time = new Date(Date.now() - age);
  utimesSync(mark, time, time);
}

describe("a log that two processes have found full", () => {
  const before = { log: "full", "log.1": "older" };
  const rows = [
    { when: "nobody has rotated it yet", files: before, after: { "log.1": "full" } },
    { when: "the other one has, and a new log has begun", files: { log: "new", "log.1": "full" }, after: null },
    { when: "the other one has, and there is no new log", files: { "log.1": "full" }, after: null },
    { when: "the other one is about to", files: before, isHeld: true, after: null },
  ];
  test.for(rows)("$when", ({ files, after, isHeld = false }) => {
    const { home } = aPlace();
    const log = join(home, "log");
    for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
    const rotate = () => {
      try {
        rotateFile(log, 4);
      } catch {
        // The log's caller passes over it.
      }
    };
    if (isHeld) withLockSync(`${log}.lock`, options, rotate);
    else rotate();
    const found = readdirSync(home).map((name) => [name, readFileSync(join(home, name), "utf8")] as const);
    expect(Object.fromEntries(found)).toEqual(after ?? files);
  });
});

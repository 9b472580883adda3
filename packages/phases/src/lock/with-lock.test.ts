import { mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainProject } from "../testing/a-project.ts";
import { thisProcess } from "./owner.ts";
import { withLock } from "./with-lock.ts";

const me = thisProcess();
const ages = { now: 0, old: 120_000 };

const locks = [
  { name: "a living process", owner: me, age: ages.now, isFree: false },
  { name: "a living process that takes its time", owner: me, age: ages.old, isFree: false },
  { name: "a process that is gone", owner: { ...me, pid: 2 ** 22 + 1 }, age: ages.now, isFree: true },
  { name: "a process whose number another one has now", owner: { ...me, started: "1" }, age: ages.now, isFree: true },
  { name: "a process of another machine", owner: { ...me, host: "elsewhere" }, age: ages.now, isFree: false },
  { name: "a process of another machine, long ago", owner: { ...me, host: "elsewhere" }, age: ages.old, isFree: true },
  { name: "a process without a start", owner: { ...me, started: null }, age: ages.now, isFree: false },
  { name: "a process without a start, long ago", owner: { ...me, started: null }, age: ages.old, isFree: true },
  { name: "nobody that can be read", owner: "", age: ages.now, isFree: false },
  { name: "nobody that can be read, long ago", owner: "", age: ages.old, isFree: true },
];
test.for(locks)("a lock of $name: free is $isFree", ({ owner, age, isFree }) => {
  const project = plainProject({ lockTimeoutMs: 50 });
  project.write("ignored", "");
  const folder = join(project.stateDir, "implement-checkpoint.json.lock");
  const mark = join(folder, "owner-0");
  mkdirSync(folder);
  writeFileSync(mark, typeof owner === "string" ? owner : JSON.stringify(owner));
  const time = new Date(Date.now() - age);
  utimesSync(mark, time, time);
  expect(project.updatePhase("implement", "a", {})).toBe(isFree);
  expect(project.getLastError()?.code).toBe(isFree ? undefined : "locked");
  const left = isFree ? ["implement-checkpoint.json"] : ["implement-checkpoint.json.lock"];
  expect(project.names().filter((name) => name !== "ignored")).toEqual(left);
});

test("an empty folder of that name is no lock", () => {
  const project = plainProject();
  mkdirSync(join(project.stateDir, "implement-checkpoint.json.lock"), { recursive: true });
  expect(project.updatePhase("implement", "a", {})).toBe(true);
  expect(project.names()).toEqual(["implement-checkpoint.json"]);
});

test("a file of that name is in the way", () => {
  const project = plainProject();
  project.write("implement-checkpoint.json.lock", "mine");
  expect(project.updatePhase("implement", "a", {})).toBe(false);
  expect(project.getLastError()?.code).toBe("failed");
  expect(project.names()).toEqual(["implement-checkpoint.json.lock"]);
});

test("a lock is given back after work that throws", () => {
  const project = plainProject();
  project.write("x.json", "");
  const path = join(project.stateDir, "x.json");
  expect(() => withLock(path, 50, () => JSON.parse("{"))).toThrow("JSON");
  expect(withLock(path, 50, () => readdirSync(`${path}.lock`))).toEqual([expect.stringMatching(/^owner-/)]);
  expect(project.names()).toEqual(["x.json"]);
});

test("a process whose lock was taken does not write", () => {
  const project = plainProject();
  project.write("x.json", "");
  const path = join(project.stateDir, "x.json");
  const losing = () =>
    withLock(path, 50, ({ assertHeld }) => {
      assertHeld();
      const [mark = ""] = readdirSync(`${path}.lock`);
      renameSync(join(`${path}.lock`, mark), join(`${path}.lock`, "owner-other"));
      assertHeld();
    });
  expect(losing).toThrow(expect.objectContaining({ code: "locked" }));
  expect(readdirSync(`${path}.lock`)).toEqual(["owner-other"]);
});

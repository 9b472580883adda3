import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import {
  finished,
  idAt,
  meta,
  said,
  started,
  turn,
} from "../../../../packages/transcript/src/formats/codex/testing/rollout-lines.ts";
import { watchSessions } from "./testing/watched-sessions.ts";
import type { WatchDays } from "./watch-days.ts";

afterEach(() => {
  vi.useRealTimers();
});

const TODAY = "2026/11/16/rollout-today.jsonl";
const LONG_AGO = "2025/01/02/rollout-old.jsonl";

const second = started(10) + said(11, "Second", idAt(10));
const secondEnd = finished(12, idAt(10));

const BEGUN = ["thread interactive"];
const FIRST = ["started by nobody", "user: First", "finished: Done."];
const SECOND = ["started by nobody", "user: Second"];
const END = ["finished: Done."];
function of(rollout: string, events: readonly string[]): readonly string[] {
  return events.map((each) => `${rollout} ${each}`);
}

/** Longer than a watcher needs to tell something. */
const QUIET = 300;
/** So seldom that a test does not see it: what is told must have come from the system. */
const NEVER = { sweep: 3_600_000 };

test("a session that begins today", async () => {
  await using sessions = watchSessions({ paces: NEVER }, ({ at }) => mkdirSync(at("2026/11/16"), { recursive: true }));
  await wait(QUIET);
  sessions.write(TODAY, meta(1));
  expect(await sessions.next(1)).toEqual(of(TODAY, BEGUN));
  sessions.write(TODAY, second.slice(0, -40));
  expect(await sessions.next(1)).toEqual(of(TODAY, ["started by nobody"]));
  sessions.write(TODAY, second.slice(-40) + secondEnd);
  expect(await sessions.next(2)).toEqual(of(TODAY, ["user: Second", "finished: Done."]));
});

test("a day that begins while sessions are watched", async () => {
  await using sessions = watchSessions({ paces: NEVER }, ({ write }) => write(LONG_AGO, meta(1)));
  await wait(QUIET);
  sessions.write(TODAY, meta(1));
  expect(await sessions.next(1)).toEqual(of(TODAY, BEGUN));
  sessions.write(TODAY, turn(2, "First"));
  expect(await sessions.next(3)).toEqual(of(TODAY, FIRST));
});

test("a resumed session in the folder of another day, and nothing of what stands before", async () => {
  await using sessions = watchSessions({ paces: NEVER }, ({ write }) => write(LONG_AGO, meta(1) + turn(2, "First")));
  await wait(QUIET);
  expect(sessions.told).toEqual([]);
  sessions.write(LONG_AGO, second);
  expect(await sessions.next(3)).toEqual(of(LONG_AGO, [...BEGUN, ...SECOND]));
});

test("a turn that lasts when the watching begins", async () => {
  await using sessions = watchSessions({ paces: NEVER }, ({ write }) => write(TODAY, meta(1) + second));
  await wait(QUIET);
  sessions.write(TODAY, secondEnd);
  expect(await sessions.next(4)).toEqual(of(TODAY, [...BEGUN, ...SECOND, ...END]));
});

test("a folder of sessions that does not exist yet", async () => {
  await using sessions = watchSessions({ paces: NEVER });
  await wait(QUIET);
  sessions.write(TODAY, meta(1));
  expect(await sessions.next(1)).toEqual(of(TODAY, BEGUN));
  sessions.write(TODAY, second);
  expect(await sessions.next(2)).toEqual(of(TODAY, SECOND));
});

test("a folder of sessions that is deleted and comes back", async () => {
  await using sessions = watchSessions({ paces: NEVER }, ({ write }) => write(TODAY, meta(1)));
  await wait(QUIET);
  rmSync(sessions.at(), { recursive: true });
  await wait(QUIET);
  sessions.write(TODAY, meta(5) + second);
  expect(await sessions.next(3)).toEqual(of(TODAY, [...BEGUN, ...SECOND]));
  sessions.write(TODAY, secondEnd);
  expect(await sessions.next(1)).toEqual(of(TODAY, END));
});

test("a day's folder that is replaced at once", async () => {
  const moved = "2026/11/16/rollout-moved.jsonl";
  await using sessions = watchSessions({ paces: NEVER }, ({ write }) => {
    write(TODAY, meta(1));
    write("aside/rollout-moved.jsonl", meta(1));
  });
  await wait(QUIET);
  rmSync(sessions.at("2026/11/16"), { recursive: true });
  renameSync(sessions.at("aside"), sessions.at("2026/11/16"));
  expect(await sessions.next(1)).toEqual(of(moved, BEGUN));
  sessions.write(moved, second);
  expect(await sessions.next(2)).toEqual(of(moved, SECOND));
});

test("rollouts that are deleted, rotated and replaced", async () => {
  await using sessions = watchSessions({ paces: NEVER }, ({ write }) => write(TODAY, meta(1)));
  await wait(QUIET);
  sessions.write(TODAY, turn(2, "First"));
  expect(await sessions.next(4)).toEqual(of(TODAY, [...BEGUN, ...FIRST]));
  renameSync(sessions.at(TODAY), sessions.at(`${TODAY}.zst`));
  await wait(QUIET);
  sessions.write(TODAY, meta(1) + second);
  expect(await sessions.next(3)).toEqual(of(TODAY, [...BEGUN, ...SECOND]));
  sessions.write("2026/11/16/replacement", meta(1) + second + secondEnd);
  renameSync(sessions.at("2026/11/16/replacement"), sessions.at(TODAY));
  expect(await sessions.next(1)).toEqual(of(TODAY, END));
  rmSync(sessions.at(TODAY));
  await wait(QUIET);
  expect([...sessions.told, ...sessions.warnings]).toEqual([]);
});

const OTHERS = [
  "2026/11/16/notes.jsonl",
  "2026/11/16/deep/rollout-1.jsonl",
  "rollout-1.jsonl",
  "x/11/16/rollout-1.jsonl",
];

test("other files and folders are passed over", async () => {
  await using sessions = watchSessions({ paces: { sweep: 50 } }, ({ write }) => write(TODAY, meta(1)));
  for (const other of OTHERS) sessions.write(other, meta(1));
  await wait(QUIET);
  expect(sessions.told).toEqual([]);
});

/** A system that tells nothing: a network's folder, or a machine that slept. */
const deaf: WatchDays = () => ({ stop: async () => {} });

test("what the system does not tell is found by looking", async () => {
  await using sessions = watchSessions({ watchDays: deaf, paces: { sweep: 100 } }, ({ write }) =>
    write(LONG_AGO, meta(1)),
  );
  sessions.write(LONG_AGO, second);
  expect(await sessions.next(3)).toEqual(of(LONG_AGO, [...BEGUN, ...SECOND]));
  sessions.write(TODAY, meta(1) + turn(2, "First"));
  expect(await sessions.next(4)).toEqual(of(TODAY, [...BEGUN, ...FIRST]));
});

test("a machine that slept looks at once", async () => {
  await using sessions = watchSessions({ watchDays: deaf, paces: NEVER }, ({ write }) => write(TODAY, meta(1)));
  sessions.write(TODAY, second);
  await wait(QUIET);
  expect(sessions.told).toEqual([]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
  expect(await sessions.next(3)).toEqual(of(TODAY, [...BEGUN, ...SECOND]));
});

test("each folder of sessions is watched once, and no longer than it is there", async () => {
  const watches: string[] = [];
  const counted: WatchDays = () => {
    watches.push("begun");
    return { stop: async () => void watches.push("ended") };
  };
  await using sessions = watchSessions({ watchDays: counted, paces: NEVER }, ({ at }) =>
    mkdirSync(at(), { recursive: true }),
  );
  await wait(QUIET);
  rmSync(sessions.at(), { recursive: true });
  await wait(QUIET);
  mkdirSync(sessions.at());
  await wait(QUIET);
  await sessions.stop();
  expect(watches).toEqual(["begun", "ended", "begun", "ended"]);
});

/** A system whose watches are used up. */
const full: WatchDays = (_sessions, { onError }) => {
  const telling = setTimeout(() => {
    onError(new Error("ENOSPC: System limit for number of file watchers reached"));
    onError(new Error("EMFILE: too many open files"));
  }, 1);
  return { stop: async () => clearTimeout(telling) };
};

test("a system without free watches is warned of once, and all files are looked at instead", async () => {
  await using sessions = watchSessions({ watchDays: full, paces: NEVER });
  sessions.write(TODAY, meta(1));
  expect(await sessions.next(1)).toEqual(of(TODAY, BEGUN));
  sessions.write(TODAY, second);
  expect(await sessions.next(2)).toEqual(of(TODAY, SECOND));
  expect(sessions.warnings).toEqual([expect.stringContaining("ENOSPC")]);
});

test("nothing is told after the end", async () => {
  await using sessions = watchSessions({ paces: { sweep: 50 } }, ({ write }) => write(TODAY, meta(1)));
  await wait(QUIET);
  sessions.write(TODAY, second);
  await sessions.stop();
  sessions.told.length = 0;
  sessions.write(TODAY, secondEnd);
  await wait(QUIET);
  expect(sessions.told).toEqual([]);
});

function openFiles(): number {
  return readdirSync("/dev/fd").length;
}

test("many rollouts do not keep files open", async () => {
  const before = openFiles();
  const names = Array.from({ length: 100 }, (_, index) => `2026/11/${10 + (index % 10)}/rollout-${index}.jsonl`);
  await using sessions = watchSessions({ paces: NEVER }, ({ write }) => {
    for (const name of names) write(name, meta(1));
  });
  await wait(QUIET);
  for (const name of names) sessions.write(name, second);
  const told = await sessions.next(300);
  expect(told.toSorted()).toEqual(names.flatMap((name) => of(name, [...BEGUN, ...SECOND])).toSorted());
  expect(openFiles() - before).toBeLessThan(10);
});

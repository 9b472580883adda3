import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { followRollout, type RolloutPosition, type RolloutReading } from "./follow-rollout.ts";
import type { RolloutEvent } from "./rollout-events.ts";
import { readRecording, RECORDINGS } from "./testing/recordings.ts";
import { finished, idAt, line, meta, said, started, turn } from "./testing/rollout-lines.ts";
import { summarise } from "./testing/summarise.ts";
import { newFolder } from "./testing/test-folder.ts";

/** Follows one file, and tells each time what is new. */
const follower = (path: string, since = 0): (() => readonly RolloutEvent[] | string) => {
  let position: RolloutPosition | number = since;
  return () => {
    const reading: RolloutReading = followRollout(path, position);
    if (reading.status === "refused") return reading.reason;
    position = reading.position;
    return reading.events;
  };
};

const told = (events: readonly RolloutEvent[] | string): readonly string[] | string =>
  typeof events === "string" ? events : events.map((event) => summarise(event));

test("a file that is written in odd pieces", () => {
  using folder = newFolder();
  const path = folder.at("rollout.jsonl");
  const next = follower(path);
  const write = (text: string): unknown => {
    appendFileSync(path, text);
    return told(next());
  };
  expect(next()).toBe("missing");
  expect(write("")).toEqual([]);
  expect(write(meta(1).slice(0, 20))).toEqual([]);
  expect(write(meta(1).slice(20))).toEqual(["thread interactive"]);
  expect(write(started(2) + said(3, "Ünïcode", idAt(2)).slice(0, -1))).toEqual(["started by nobody"]);
  expect(write("\n")).toEqual(["user: Ünïcode"]);
  expect(write("no JSON\n\n[]\n{}\n")).toEqual([]);
  expect(write(finished(4, idAt(2)) + turn(5, "Again") + started(9))).toEqual([
    "finished: Done.",
    "started by nobody",
    "user: Again",
    "finished: Done.",
    "started by nobody",
  ]);
  expect(write("")).toEqual([]);
});

const all = (bytes: Uint8Array, cuts: readonly number[]): readonly RolloutEvent[] => {
  using folder = newFolder();
  const path = folder.at("rollout.jsonl");
  const next = follower(path);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).flatMap((end, index) => {
    appendFileSync(path, bytes.subarray(places[index], end));
    const events = next();
    return typeof events === "string" ? [] : events;
  });
};

test("any split of a recording gives the same events", () => {
  const recordings = RECORDINGS.map((name) => ({ bytes: readRecording(name), events: all(readRecording(name), []) }));
  fc.assert(
    fc.property(fc.constantFrom(...recordings), fc.array(fc.nat(), { maxLength: 12 }), ({ bytes, events }, cuts) => {
      expect(all(bytes, cuts)).toEqual(events);
    }),
    { numRuns: 60 },
  );
  expect(recordings.every(({ events }) => events.length > 0)).toBe(true);
});

test("any bytes in any pieces give events", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(), { maxLength: 4 }), (bytes, cuts) => {
      expect(all(bytes, cuts)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test("any bytes written over a recording cost no more than the lines they hit", () => {
  const bytes = readRecording("blocked-at-the-screen");
  const count = all(bytes, []).length;
  // The id in the first line tells which turns are the thread's own: damaged, it could disown them all.
  const afterThread = fc.integer({ min: bytes.indexOf("\n") + 1, max: bytes.length });
  fc.assert(
    fc.property(afterThread, fc.uint8Array({ maxLength: 40 }), (place, damage) => {
      const damaged = Buffer.concat([bytes.subarray(0, place), damage, bytes.subarray(place + damage.length)]);
      expect(all(damaged, [place]).length).toBeGreaterThanOrEqual(count - 2);
    }),
    { numRuns: 100 },
  );
});

const history = meta(1) + turn(2, "First");
const second = started(10) + said(11, "Second", idAt(10));
const lasting = ["thread interactive", "started by nobody", "user: Second"];

const starts = [
  {
    start: "in the middle of a turn",
    before: history + second,
    after: finished(12, idAt(10)),
    events: [...lasting, "finished: Done."],
  },
  { start: "between turns", before: history, after: second, events: lasting },
  { start: "in the middle of a line", before: history + second.slice(0, 30), after: second.slice(30), events: lasting },
  {
    start: "in the first line",
    before: history.slice(0, 9),
    after: history.slice(9) + second,
    events: ["thread interactive", "started by nobody", "user: First", "finished: Done.", ...lasting.slice(1)],
  },
  { start: "at the end of a turn that is over", before: history, after: "", events: ["thread interactive"] },
  {
    start: "in copied history",
    before: meta(50) + history,
    after: turn(60, "Own"),
    events: ["thread interactive", "started by nobody", "user: Own", "finished: Done."],
  },
  {
    start: "without a thread",
    before: "torn\n",
    after: turn(5, "First"),
    events: ["started by nobody", "user: First", "finished: Done."],
  },
];

test.for(starts)("a file that is taken up $start", ({ before, after, events }) => {
  using folder = newFolder();
  const path = folder.at("rollout.jsonl");
  writeFileSync(path, before + after);
  expect(told(follower(path, before.length)())).toEqual(events);
});

test("a file that is taken up at its end knows the turn that is over", () => {
  using folder = newFolder();
  const path = folder.at("rollout.jsonl");
  writeFileSync(path, history);
  expect(followRollout(path, Infinity)).toMatchObject({
    position: { state: { turn: { id: idAt(2), messages: [{ from: "user" }], end: { how: "finished" } } } },
  });
});

const OLD = line(2, "event_msg", { type: "user_message", message: "First" });

test("a file without turns is taken up with its last message", () => {
  using folder = newFolder();
  const path = folder.at("rollout.jsonl");
  writeFileSync(path, meta(1) + OLD + OLD.replace("First", "Second"));
  expect(told(follower(path, Infinity)())).toEqual(["thread interactive", "user: Second"]);
});

const replacements = [
  { change: "with less of the same turn", by: history + started(10), events: [] },
  {
    change: "with the end of the same turn",
    by: `${history} ${second}${finished(12, idAt(10))}`,
    events: ["finished: Done."],
  },
  {
    change: "with another turn",
    by: `${history}${second}${finished(12, idAt(10))}${turn(20, "Third")}`,
    events: ["started by nobody", "user: Third", "finished: Done."],
  },
  {
    change: "with another thread",
    by: meta(3) + turn(4, "Other"),
    events: ["thread interactive"],
  },
  { change: "with nothing", by: "", events: [] },
];

test.for(replacements)("a file that is replaced $change", ({ by, events }) => {
  using folder = newFolder();
  const path = folder.at("rollout.jsonl");
  writeFileSync(path, history + second);
  const next = follower(path);
  next();
  writeFileSync(folder.at("other"), by);
  renameSync(folder.at("other"), path);
  expect(told(next())).toEqual(events);
  expect(told(next())).toEqual([]);
  appendFileSync(path, turn(30, "Later"));
  expect(told(next())).toEqual(expect.arrayContaining(["started by nobody", "user: Later", "finished: Done."]));
});

test("a file that is cut short goes on where it was cut", () => {
  using folder = newFolder();
  const path = folder.at("rollout.jsonl");
  writeFileSync(path, history + second);
  const next = follower(path);
  next();
  truncateSync(path, history.length + 5);
  expect(told(next())).toEqual([]);
  appendFileSync(path, `torn\n${turn(20, "Third")}`);
  expect(told(next())).toEqual(["started by nobody", "user: Third", "finished: Done."]);
});

test("a file that was written anew in its place is noticed", () => {
  using folder = newFolder();
  const path = folder.at("rollout.jsonl");
  writeFileSync(path, history);
  const next = follower(path);
  next();
  const long = "x".repeat(history.length);
  writeFileSync(path, meta(1) + started(20) + said(20, long, idAt(20)));
  expect(told(next())).toEqual(["started by nobody", `user: ${long}`]);
});

test("a file that is deleted and comes back", () => {
  using folder = newFolder();
  const path = folder.at("rollout.jsonl");
  writeFileSync(path, history);
  const next = follower(path);
  next();
  rmSync(path);
  expect(next()).toBe("missing");
  writeFileSync(path, history + second);
  expect(told(next())).toEqual(["started by nobody", "user: Second"]);
});

test("what is no file is not read", () => {
  using folder = newFolder();
  mkdirSync(folder.at("folder.jsonl"));
  execFileSync("mkfifo", [folder.at("fifo.jsonl")]);
  expect(follower(folder.at("folder.jsonl"))()).toBe("unreadable");
  expect(follower(folder.at("fifo.jsonl"))()).toBe("unreadable");
});

test("a line of several megabytes, in pieces, with broken characters", () => {
  using folder = newFolder();
  const path = folder.at("rollout.jsonl");
  writeFileSync(path, meta(1) + started(2));
  const next = follower(path);
  next();
  const text = Buffer.from(said(3, "x".repeat(5_000_000), idAt(2)));
  text[200_000] = 0xff;
  const found: RolloutEvent[] = [];
  for (let start = 0; start < text.length; start += 300_000) {
    appendFileSync(path, text.subarray(start, start + 300_000));
    const events = next();
    if (typeof events !== "string") found.push(...events);
  }
  const [event, ...others] = found;
  expect(others).toEqual([]);
  expect(event?.type === "user-message" && event.text.replace("\uFFFD", "x")).toBe("x".repeat(5_000_000));
});

test("of half a gigabyte only the thread and the current turn are read", () => {
  using folder = newFolder();
  const path = folder.at("rollout.jsonl");
  writeFileSync(path, history);
  truncateSync(path, 500_000_000);
  appendFileSync(path, `\n${turn(5, "Before")}${second}`);
  const startedAt = performance.now();
  const next = follower(path, 500_000_001);
  expect(told(next())).toEqual([
    "thread interactive",
    "started by nobody",
    "user: Before",
    "finished: Done.",
    ...lasting.slice(1),
  ]);
  expect(told(follower(path, Infinity)())).toEqual(lasting);
  expect(told(follower(path, 0)())).toEqual(lasting);
  appendFileSync(path, finished(12, idAt(10)));
  expect(told(next())).toEqual(["finished: Done."]);
  expect(performance.now() - startedAt).toBeLessThan(2000);
});

test("what is kept of a rollout is small", () => {
  using folder = newFolder();
  const path = folder.at("rollout.jsonl");
  const long = "long ".repeat(100_000);
  writeFileSync(path, meta(1) + turn(2, long) + started(10) + said(11, long, idAt(10)) + "x".repeat(100_000));
  const reading = followRollout(path, 0);
  expect(JSON.stringify(reading.status === "read" && reading.position).length).toBeLessThan(800);
});

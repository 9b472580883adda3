import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newCollector } from "../formats/claude/collect-line.ts";
import { readEntries } from "../formats/claude/read-entries.ts";
import { copyRecordings, type TestFolder } from "../testing/copy-recordings.ts";
import { summarise } from "../testing/summarise.ts";
import { EMPTY_PART } from "./part.ts";
import { readPeriod } from "./read-period.ts";

let folder: TestFolder;
beforeAll(() => {
  folder = copyRecordings("claude");
});
afterAll(() => folder.remove());

const AGENT = "sub-agent/subagents/agent-29447fab000000001.jsonl";
const BEGINNING = new Date(0);

const recordsIn = (since: Date, until: Date | null, file = AGENT) =>
  readPeriod(join(folder.path, file), { since, until }, { readEntries, newCollector }).records;

const callsIn = (since: Date, until: Date | null): readonly string[] =>
  recordsIn(since, until).map((record) => summarise(record));

/** When each call of the recording was made. */
const moments = (): readonly Date[] => recordsIn(BEGINNING, null).map(({ timestamp }) => timestamp ?? BEGINNING);

const ALL = [
  "> shell sh check.sh: failed 3",
  "> read /home/dev/project/src/greet.py: ok",
  "> edit /home/dev/project/src/greet.py: ok",
  "> shell sh check.sh: ok 0",
];

test("all of it", () => {
  expect(callsIn(BEGINNING, null)).toEqual(ALL);
});

test("from the moment of a call on, that call is part of it", () => {
  expect(moments().map((moment) => callsIn(moment, null))).toEqual(ALL.map((_, index) => ALL.slice(index)));
});

test("up to the moment of a call, that call is part of it", () => {
  expect(moments().map((moment) => callsIn(BEGINNING, moment))).toEqual(ALL.map((_, index) => ALL.slice(0, index + 1)));
});

test("nothing before it began, nor after it ended", () => {
  expect(callsIn(BEGINNING, new Date(1))).toEqual([]);
  expect(callsIn(new Date("2100-01-01"), null)).toEqual([]);
});

test("a line without a time is of the time around it", () => {
  const lines = readFileSync(join(folder.path, AGENT), "utf8").trimEnd().split("\n");
  const timeless = lines.map((line, index) =>
    index === 1 ? line.replace(/"timestamp":"[^"]*"/, '"timestamp":null') : line,
  );
  writeFileSync(join(folder.path, "timeless.jsonl"), timeless.join("\n"));
  expect(recordsIn(BEGINNING, null, "timeless.jsonl")).toHaveLength(ALL.length);
});

test("of a file that is not there, nothing", () => {
  expect(
    readPeriod(join(folder.path, "gone.jsonl"), { since: BEGINNING, until: null }, { readEntries, newCollector }),
  ).toEqual(EMPTY_PART);
});

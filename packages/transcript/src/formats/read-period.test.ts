import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newCollector, readEntries } from "./claude/calls.ts";
import type { Format } from "./format.ts";
import { FORMATS } from "./registry.ts";
import { copyRecordings, type TestFolder } from "../testing/copy-recordings.ts";
import { summarise } from "../testing/summarise.ts";
import { EMPTY_PART } from "../turn/calls.ts";
import { readPeriod } from "./read-period.ts";

let folder: TestFolder;
let gemini: TestFolder;
beforeAll(() => {
  folder = copyRecordings("claude");
  gemini = copyRecordings("gemini");
});
afterAll(() => {
  folder.remove();
  gemini.remove();
});

const AGENT = "sub-agent/subagents/agent-29447fab000000001.jsonl";
const GEMINI_AGENT = "29447fab-0000-4000-8000-000000000003/29447fab-0000-4000-8000-000000000009.jsonl";
const BEGINNING = new Date(0);

const recordsIn = (since: Date, until: Date | null, file = AGENT) =>
  readPeriod(join(folder.path, file), { since, until }, { readEntries, newCollector }).records;

const callsIn = (since: Date, until: Date | null): readonly string[] =>
  recordsIn(since, until).map((record) => summarise(record));

/** When each call of the recording was made. */
const moments = (): readonly Date[] => recordsIn(BEGINNING, null).map(({ timestamp }) => timestamp ?? BEGINNING);

const withoutTime = (line: string): string => line.replace(/"timestamp":"[^"]*"/, '"timestamp":null');

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
  for (const timeless of lines.keys()) {
    const changed = lines.map((line, index) => (index === timeless ? withoutTime(line) : line));
    writeFileSync(join(folder.path, "timeless.jsonl"), changed.join("\n"));
    for (const since of [BEGINNING, new Date("2020-01-01")])
      expect(recordsIn(since, null, "timeless.jsonl")).toHaveLength(ALL.length);
  }
});

describe("a sub-agent that began after the period is not read, however long it is", () => {
  /** How many entries of a file are read for a period that ends then. */
  const readUntil = (
    until: Date | null,
    path: string,
    format: Pick<Format, "readEntries" | "newCollector">,
  ): number => {
    let count = 0;
    readPeriod(
      path,
      { since: BEGINNING, until },
      {
        newCollector: format.newCollector,
        readEntries: function* (...from) {
          for (const entry of format.readEntries(...from)) {
            count += 1;
            yield entry;
          }
        },
      },
    );
    return count;
  };

  test.for([
    { of: "Claude Code", format: FORMATS.claude, file: AGENT, name: "timestamp" },
    { of: "Gemini CLI", format: FORMATS.gemini, file: GEMINI_AGENT, name: "startTime" },
  ])("$of tells by the $name of its first line", ({ format, file, name }) => {
    const path = join((format === FORMATS.gemini ? gemini : folder).path, file);
    const [first = ""] = readFileSync(path, "utf8").split("\n");
    const began = Date.parse((JSON.parse(first) as Record<string, string>)[name] ?? "");
    expect(readUntil(new Date(began - 1), path, format)).toBe(0);
    expect(readUntil(new Date(began), path, format)).toBeGreaterThan(4);
    expect(readUntil(null, path, format)).toBeGreaterThan(4);
  });

  test("or by the next line, where the first has no time; without any it is read", () => {
    const path = join(folder.path, "later.jsonl");
    const lines = readFileSync(join(folder.path, AGENT), "utf8").trimEnd().split("\n");
    writeFileSync(path, lines.map((line, index) => (index === 0 ? withoutTime(line) : line)).join("\n"));
    expect(readUntil(new Date(1), path, FORMATS.claude)).toBe(0);
    writeFileSync(path, lines.map(withoutTime).join("\n"));
    expect(readUntil(new Date(1), path, FORMATS.claude)).toBe(lines.length);
  });
});

test("of a file that is not there, nothing", () => {
  expect(
    readPeriod(join(folder.path, "gone.jsonl"), { since: BEGINNING, until: null }, { readEntries, newCollector }),
  ).toEqual(EMPTY_PART);
});

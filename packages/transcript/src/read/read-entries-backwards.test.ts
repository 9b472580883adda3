import { appendFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newFolder, type TestFolder } from "../testing/copy-recordings.ts";
import { type LineRange, newTally, READ_LIMIT, readEntriesBackwards } from "./backwards.ts";
import { withRegularFile } from "./files.ts";

let folder: TestFolder;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => folder.remove());

const read = (path: string, range: LineRange = {}): unknown => {
  const tally = newTally();
  const reading = withRegularFile(path, (file) =>
    [...readEntriesBackwards(file, tally, range)].map(({ value }) => value),
  );
  return { ...tally, entries: reading.status === "read" ? reading.value : [] };
};

const cases = [
  { file: "of objects", text: '{"a":1}\n{"b":2}\n', entries: [{ b: 2 }, { a: 1 }], skippedLines: 0 },
  { file: "with a byte order mark", text: '\uFEFF{"a":1}', entries: [{ a: 1 }], skippedLines: 0 },
  { file: "with other values", text: '{"a":1}\n[1]\n"text"\n3\nnull\n', entries: [{ a: 1 }], skippedLines: 4 },
  { file: "with a torn line", text: '{"a":1}\n{"b":', entries: [{ a: 1 }], skippedLines: 1 },
  {
    file: "with broken characters",
    text: Buffer.from('{"a":"\xff\xfe"}', "latin1"),
    entries: [{ a: "\uFFFD\uFFFD" }],
    skippedLines: 0,
  },
];

test.for(cases)("a file $file", ({ text, entries, skippedLines }) => {
  const path = join(folder.path, "entries.jsonl");
  writeFileSync(path, text);
  expect(read(path)).toEqual({ entries, skippedLines, isCutShort: false });
});

test("a line beyond the limit ends the reading", () => {
  const path = join(folder.path, "huge.jsonl");
  writeFileSync(path, "");
  truncateSync(path, READ_LIMIT + 1000);
  appendFileSync(path, '\n{"a":1}\n');
  expect(read(path)).toEqual({ entries: [{ a: 1 }], skippedLines: 0, isCutShort: true });
});

test("a file of exactly the limit is read whole", () => {
  const path = join(folder.path, "full.jsonl");
  writeFileSync(path, '{"first":1}\n');
  truncateSync(path, READ_LIMIT - 9);
  appendFileSync(path, '\n{"a":1}\n');
  expect(read(path)).toEqual({ entries: [{ a: 1 }, { first: 1 }], skippedLines: 1, isCutShort: false });
});

test("a reading that ends between two lines is cut short as well", () => {
  const path = join(folder.path, "between.jsonl");
  writeFileSync(path, '{"first":1}');
  const line = `{"a":"${"x".repeat(READ_LIMIT - 10)}"}`;
  appendFileSync(path, `\n${line}\n`);
  expect(read(path)).toMatchObject({ entries: [{}], isCutShort: true });
});

test("the limit counts from the end of the range", () => {
  const path = join(folder.path, "range.jsonl");
  writeFileSync(path, '{"a":1}\n{"b":2}\n');
  truncateSync(path, READ_LIMIT + 1000);
  expect(read(path, { to: 16 })).toEqual({ entries: [{ b: 2 }, { a: 1 }], skippedLines: 0, isCutShort: false });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestFolder, newFolder } from "../testing/copy-recordings.ts";
import { withRegularFile } from "./files.ts";
import { readEntriesForwards } from "./forwards.ts";

let folder: TestFolder;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => folder.remove());

const read = (text: string, mentions: readonly string[]): unknown => {
  const path = join(folder.path, "entries.jsonl");
  writeFileSync(path, text);
  const reading = withRegularFile(path, (file) => [...readEntriesForwards(file, mentions)]);
  return reading.status === "read" ? reading.value.map(({ offset, value }) => [offset, value]) : reading;
};

const cases = [
  {
    title: "those that mention it, the first first",
    text: '{"type":"user"}\n{"type":"assistant"}\n{"a":{"b":["user"]}}\n',
    entries: [
      [0, { type: "user" }],
      [37, { a: { b: ["user"] } }],
    ],
  },
  { title: "also under the name of a key", text: '{"user":1}', entries: [[0, { user: 1 }]] },
  { title: "not those where it is part of a word", text: '{"type":"superuser"}\n{"type":"user-x"}', entries: [] },
  { title: "not those where it is quoted in a text", text: String.raw`{"text":"say \"user\""}`, entries: [] },
  { title: "not what is torn or no object", text: '{"type":"user"\n["user"]\n"user"', entries: [] },
  { title: "the first with a byte order mark", text: '\uFEFF{"a":"user"}', entries: [[0, { a: "user" }]] },
];

test.for(cases)("$title", ({ text, entries }) => {
  expect(read(text, ["user"])).toEqual(entries);
});

test("one of several is enough", () => {
  expect(read('{"a":1}\n{"b":1}\n{"c":1}', ["c", "a"])).toEqual([
    [0, { a: 1 }],
    [16, { c: 1 }],
  ]);
});

test("no text in any string is taken for a mention", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(read(JSON.stringify({ text: `${text}"user"${text}` }), ["user"])).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

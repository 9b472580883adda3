import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestFolder, newFolder } from "../testing/copy-recordings.ts";
import { withRegularFile } from "./files.ts";
import { readHead } from "./forwards.ts";

let folder: TestFolder;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => folder.remove());

const MB = 1024 * 1024;
const line = (length: number): string => `{"a":"${"x".repeat(length)}"}\n`;

const offsets = (text: string): unknown => {
  const path = join(folder.path, "head.jsonl");
  writeFileSync(path, text);
  const reading = withRegularFile(path, (file) => [...readHead(file)].map(({ offset }) => offset));
  return reading.status === "read" ? reading.value : reading;
};

const cases = [
  { file: "of a few lines", text: '{"a":1}\ntorn\n\n{"b":2}', entries: [0, 14] },
  { file: "with a byte order mark", text: '\uFEFF{"a":1}', entries: [0] },
  { file: "whose first line is long", text: `${line(MB)}{"b":2}\n`, entries: [0, MB + 9] },
  { file: "that goes on and on", text: `{"a":1}\n${line(2 * MB)}{"b":2}\n`, entries: [0] },
];

test.for(cases)("a file $file", ({ text, entries }) => {
  expect(offsets(text)).toEqual(entries);
});

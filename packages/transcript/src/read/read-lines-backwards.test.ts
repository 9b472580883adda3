import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestFolder, newFolder } from "../testing/copy-recordings.ts";
import { type LineRange, readLinesBackwards } from "./backwards.ts";

let folder: TestFolder;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => folder.remove());

interface Reading {
  readonly bytes: Uint8Array;
  /** What the file's size was thought to be. */
  readonly size?: number;
  readonly range?: LineRange;
  readonly firstBlock?: number;
}

const read = ({ bytes, size = bytes.length, range, firstBlock }: Reading): readonly (readonly [number, string])[] => {
  const path = join(folder.path, "lines");
  writeFileSync(path, bytes);
  const fd = openSync(path, "r");
  const lines = [...readLinesBackwards({ fd, size }, range, firstBlock)];
  closeSync(fd);
  return lines.map(({ offset, bytes }) => [offset, bytes.toString("latin1")]);
};

/** The same lines, by splitting the whole text. */
const split = (bytes: Uint8Array): readonly (readonly [number, string])[] => {
  const lines: [number, string][] = [];
  let offset = 0;
  for (const line of Buffer.from(bytes).toString("latin1").split("\n")) {
    lines.unshift([offset, line.replace(/\r$/, "")]);
    offset += line.length + 1;
  }
  return lines.filter(([, line]) => line !== "");
};

const someBytes = fc
  .array(fc.constantFrom(0x0a, 0x0d, 0x61, 0x62, 0xff), { maxLength: 200 })
  .map((list) => Buffer.from(list));

test("gives the lines of any file, whatever the size of the blocks", () => {
  fc.assert(
    fc.property(someBytes, fc.integer({ min: 1, max: 64 }), (bytes, firstBlock) => {
      expect(read({ bytes, firstBlock })).toEqual(split(bytes));
    }),
  );
});

const text = Buffer.from("one\ntwo\r\n\nthree");

const cases = [
  {
    file: "whole",
    reading: { bytes: text },
    lines: [
      [10, "three"],
      [4, "two"],
      [0, "one"],
    ],
  },
  { file: "empty", reading: { bytes: Buffer.alloc(0) }, lines: [] },
  { file: "only line ends", reading: { bytes: Buffer.from("\n\r\n\n") }, lines: [] },
  {
    file: "from the second line on",
    reading: { bytes: text, range: { from: 4 } },
    lines: [
      [10, "three"],
      [4, "two"],
    ],
  },
  {
    file: "from within the second line on",
    reading: { bytes: text, range: { from: 5, isCut: true } },
    lines: [
      [10, "three"],
      [5, ""],
    ],
  },
  {
    file: "from the end of a line on",
    reading: { bytes: text, range: { from: 9, isCut: true } },
    lines: [
      [10, "three"],
      [9, ""],
    ],
  },
  {
    file: "up to the last line",
    reading: { bytes: text, range: { to: 10 } },
    lines: [
      [4, "two"],
      [0, "one"],
    ],
  },
  { file: "up to beyond its end", reading: { bytes: text, range: { from: 9, to: 99 } }, lines: [[10, "three"]] },
  { file: "nothing of it", reading: { bytes: text, range: { from: 9, to: 4 } }, lines: [] },
  {
    file: "shorter than it was",
    reading: { bytes: text, size: 40, firstBlock: 8 },
    lines: [
      [10, "three"],
      [4, "two"],
      [0, "one"],
    ],
  },
  {
    file: "longer than it was",
    reading: { bytes: text, size: 8 },
    lines: [
      [4, "two"],
      [0, "one"],
    ],
  },
];

test.for(cases)("a file read $file", ({ reading, lines }) => {
  expect(read(reading)).toEqual(lines);
});

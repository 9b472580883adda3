import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestFolder, newFolder } from "../testing/copy-recordings.ts";
import { readLinesBackwards } from "./backwards.ts";
import { type ForwardsOptions, readLinesForwards } from "./forwards.ts";

let folder: TestFolder;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => folder.remove());

type Lines = readonly (readonly [number, string])[];

interface Reading {
  readonly bytes: Uint8Array;
  /** What the file's size was thought to be. */
  readonly size?: number;
  readonly options?: ForwardsOptions;
}

const read = ({ bytes, size = bytes.length, options }: Reading): { readonly there: Lines; readonly back: Lines } => {
  const path = join(folder.path, "lines");
  writeFileSync(path, bytes);
  const fd = openSync(path, "r");
  const there = [...readLinesForwards({ fd, size }, options)];
  const back = [...readLinesBackwards({ fd, size })];
  closeSync(fd);
  const asText = (lines: typeof there): Lines => lines.map((line) => [line.offset, line.bytes.toString("latin1")]);
  return { there: asText(there), back: asText(back) };
};

const someBytes = fc
  .array(fc.constantFrom(0x0a, 0x0d, 0x61, 0x62, 0xff), { maxLength: 200 })
  .map((list) => Buffer.from(list));

test("gives the lines that the way back gives, whatever the size of the blocks", () => {
  fc.assert(
    fc.property(someBytes, fc.integer({ min: 1, max: 64 }), (bytes, block) => {
      const { there, back } = read({ bytes, options: { block } });
      expect(there).toEqual(back.toReversed());
    }),
  );
});

test("leaves out lines that are too long, and only those", () => {
  fc.assert(
    fc.property(someBytes, fc.integer({ min: 1, max: 8 }), fc.integer({ min: 8, max: 20 }), (bytes, block, longest) => {
      const { there, back } = read({ bytes, options: { block, longest } });
      const lines = back.toReversed();
      // A line is given up where a block ends in it: up to a block more is let through.
      for (const line of lines.filter(([, text]) => text.length < longest)) expect(there).toContainEqual(line);
      for (const [, text] of there) expect(text.length).toBeLessThanOrEqual(longest + block);
      expect(lines).toEqual(expect.arrayContaining([...there]));
    }),
  );
});

const text = Buffer.from("one\ntwo\r\n\nthree");

const cases: readonly { file: string; reading: Reading; lines: Lines }[] = [
  {
    file: "whole",
    reading: { bytes: text },
    lines: [
      [0, "one"],
      [4, "two"],
      [10, "three"],
    ],
  },
  { file: "empty", reading: { bytes: Buffer.alloc(0) }, lines: [] },
  { file: "only line ends", reading: { bytes: Buffer.from("\n\r\n\n") }, lines: [] },
  {
    file: "in which one line is too long",
    reading: { bytes: Buffer.from("one\nmuch too long\ntwo\n"), options: { block: 2, longest: 6 } },
    lines: [
      [0, "one"],
      [18, "two"],
    ],
  },
  {
    file: "whose last line is too long",
    reading: { bytes: Buffer.from("one\nmuch too long"), options: { block: 2, longest: 6 } },
    lines: [[0, "one"]],
  },
  {
    file: "shorter than it was",
    reading: { bytes: text, size: 40, options: { block: 8 } },
    lines: [
      [0, "one"],
      [4, "two"],
      [10, "three"],
    ],
  },
  {
    file: "longer than it was",
    reading: { bytes: text, size: 8 },
    lines: [
      [0, "one"],
      [4, "two"],
    ],
  },
];

test.for(cases)("a file $file", ({ reading, lines }) => {
  expect(read(reading).there).toEqual(lines);
});

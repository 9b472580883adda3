import { closeSync, openSync, truncateSync, writeFileSync, appendFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_LINE_BYTES, type LineCursor, readNewLines, startOfLine } from "./follow-rollout.ts";
import { newFolder } from "./testing/test-folder.ts";
import { type OpenFile } from "../../read/files.ts";

const withFile = <Value>(path: string, size: number, look: (file: OpenFile) => Value): Value => {
  const fd = openSync(path, "r");
  try {
    return look({ fd, size });
  } finally {
    closeSync(fd);
  }
};

const someBytes = fc
  .array(fc.constantFrom(0x0a, 0x61, 0x62, 0xff), { maxLength: 120 })
  .map((list) => Buffer.from(list));
const someSize = fc.integer({ min: 1, max: 40 });

test("gives every finished line once, whatever the pieces it comes in and the size of the blocks", () => {
  using folder = newFolder();
  const path = folder.at("file");
  fc.assert(
    fc.property(someBytes, fc.array(someSize), someSize, (bytes, pieces, blockSize) => {
      writeFileSync(path, bytes);
      const cursor: LineCursor = { lineStart: 0, scannedTo: 0 };
      const lines: string[] = [];
      let size = 0;
      for (const piece of [...pieces, bytes.length]) {
        size = Math.min(bytes.length, size + piece);
        const found = withFile(path, size, (file) => [...readNewLines(file, cursor, blockSize)]);
        lines.push(...found.map((line) => line.toString("latin1")));
      }
      const expected = bytes.toString("latin1").split("\n");
      const rest = expected.pop() ?? "";
      expect(lines).toEqual(expected);
      expect(cursor).toEqual({ lineStart: bytes.length - rest.length, scannedTo: bytes.length });
    }),
  );
});

test("finds the start of the line at any place", () => {
  using folder = newFolder();
  const path = folder.at("file");
  fc.assert(
    fc.property(someBytes, fc.nat(120), someSize, (bytes, place, blockSize) => {
      writeFileSync(path, bytes);
      const end = Math.min(place, bytes.length);
      const found = withFile(path, bytes.length, (file) => startOfLine(file, end, blockSize));
      expect(found).toBe(bytes.subarray(0, end).lastIndexOf(0x0a) + 1);
    }),
  );
});

test("passes over a line beyond the limit", () => {
  using folder = newFolder();
  const path = folder.at("file");
  writeFileSync(path, "first\n");
  truncateSync(path, MAX_LINE_BYTES + 100);
  appendFileSync(path, "\nlast\n");
  const size = MAX_LINE_BYTES + 106;
  const lines = withFile(path, size, (file) => [...readNewLines(file, { lineStart: 0, scannedTo: 0 })]);
  expect(lines.map((line) => line.toString("utf8"))).toEqual(["first", "last"]);
});

test("stops where a file became shorter than it was", () => {
  using folder = newFolder();
  const path = folder.at("file");
  writeFileSync(path, "first\nsec");
  const cursor: LineCursor = { lineStart: 0, scannedTo: 0 };
  expect(withFile(path, 1000, (file) => [...readNewLines(file, cursor)])).toEqual([Buffer.from("first")]);
  expect(cursor).toEqual({ lineStart: 6, scannedTo: 9 });
});

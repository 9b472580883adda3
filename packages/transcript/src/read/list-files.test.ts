import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestFolder, newFolder } from "../testing/copy-recordings.ts";
import { isFile, isWrittenSince, listFiles, listFolder } from "./files.ts";

let folder: TestFolder;
beforeAll(() => {
  folder = newFolder();
  mkdirSync(join(folder.path, "one/two/three"), { recursive: true });
  for (const place of ["a.jsonl", "a.txt", "one/b.jsonl", "one/two/c.jsonl", "one/two/three/d.jsonl"]) {
    writeFileSync(join(folder.path, place), "");
  }
});
afterAll(() => folder.remove());

test.for([
  { depth: 0, names: ["a.jsonl"] },
  { depth: 1, names: ["a.jsonl", "one/b.jsonl"] },
  { depth: 2, names: ["a.jsonl", "one/b.jsonl", "one/two/c.jsonl"] },
])("lists files down to depth $depth", ({ depth, names }) => {
  const files = listFiles(folder.path, { name: /\.jsonl$/, depth });
  expect(files.toSorted()).toEqual(names.map((name) => join(folder.path, name)));
});

test("a folder that is not there has nothing in it", () => {
  expect(listFiles(join(folder.path, "gone"), { name: /./, depth: 1 })).toEqual([]);
  expect(listFolder(join(folder.path, "gone"))).toEqual([]);
});

test.for([
  { written: "in the same second", ms: -900, isRecent: true },
  { written: "later", ms: 5000, isRecent: true },
  { written: "long before", ms: -60_000, isRecent: false },
])("a file written $written", ({ ms, isRecent }) => {
  const moment = new Date("2026-11-16T02:41:43.900Z");
  const time = new Date(moment.getTime() + ms);
  utimesSync(join(folder.path, "a.txt"), time, time);
  expect(isWrittenSince(join(folder.path, "a.txt"), moment)).toBe(isRecent);
});

test("only a file is a file", () => {
  expect(["a.txt", "one", "gone"].map((name) => isFile(join(folder.path, name)))).toEqual([true, false, false]);
  expect(isWrittenSince(join(folder.path, "gone"), new Date(0))).toBe(false);
});

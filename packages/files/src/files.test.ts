import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { appendLine } from "./append-line.ts";
import { readSmallFile } from "./read-small-file.ts";
import { replaceFile, sweepDrafts, writeDraft, writeWhole } from "./write-whole.ts";

/** A folder with one of each thing that a path can lead to. */
function aFolder() {
  const folder = mkdtempSync(join(tmpdir(), "checkpoint-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string) => join(folder, name);
  writeFileSync(at("file"), "old");
  mkdirSync(at("folder"));
  symlinkSync("file", at("link"));
  symlinkSync("nothing", at("broken-link"));
  execFileSync("mkfifo", [at("pipe")]);
  return { at, names: () => readdirSync(folder) };
}

const EVERYTHING = ["broken-link", "file", "folder", "link", "pipe"];

const reads = [
  { name: "file", maxBytes: 3, read: { ok: true, bytes: Buffer.from("old") } },
  { name: "file", maxBytes: 2, read: { ok: false, reason: "too-large" } },
  { name: "nothing", maxBytes: 9, read: { ok: false, reason: "missing" } },
  { name: "file/inside", maxBytes: 9, read: { ok: false, reason: "missing" } },
  { name: "folder", maxBytes: 9, read: { ok: false, reason: "not-regular" } },
  { name: "link", maxBytes: 9, read: { ok: false, reason: "not-regular" } },
  { name: "broken-link", maxBytes: 9, read: { ok: false, reason: "not-regular" } },
  { name: "pipe", maxBytes: 9, read: { ok: false, reason: "not-regular" } },
];
test.for(reads)("reading $name, at most $maxBytes bytes", ({ name, maxBytes, read }) => {
  expect(readSmallFile(aFolder().at(name), maxBytes)).toMatchObject(read);
});

const lines = [
  { name: "file", outcome: { size: 5, isInPlace: true } },
  { name: "new", outcome: { size: 2, isInPlace: true } },
  { name: "folder", outcome: "EISDIR" },
  { name: "link", outcome: "ELOOP" },
  { name: "pipe", outcome: "ENXIO" },
];
test.for(lines)("adding a line to $name", ({ name, outcome }) => {
  const { at } = aFolder();
  const add = () => {
    try {
      return appendLine(at(name), "a\n");
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
  };
  expect(add()).toEqual(outcome);
});

test("a file is written whole, with its mode, and no draft is left", () => {
  const { at, names } = aFolder();
  writeWhole(at("file"), "new");
  writeWhole(at("folder/open"), Buffer.from("bytes"), { mode: 0o644, isFlushed: false });
  expect([readFileSync(at("file"), "utf8"), statSync(at("file")).mode & 0o777]).toEqual(["new", 0o600]);
  expect([readFileSync(at("folder/open"), "utf8"), statSync(at("folder/open")).mode & 0o777]).toEqual(["bytes", 0o644]);
  expect(names()).toEqual(EVERYTHING);
});

test("what throws before the rename leaves the old file and no draft", () => {
  const { at, names } = aFolder();
  const refuse = () => {
    throw new Error("not now");
  };
  expect(() => writeWhole(at("file"), "new", { beforeRename: refuse })).toThrow("not now");
  expect(() => writeWhole(at("folder"), "new")).toThrow("EISDIR");
  expect(readFileSync(at("file"), "utf8")).toBe("old");
  expect(names()).toEqual(EVERYTHING);
});

test("drafts that were left are swept when they are old, and nothing else is", () => {
  const { at, names } = aFolder();
  const [fresh, old] = [writeDraft(at("a"), ""), writeDraft(at("b"), "")];
  writeFileSync(at("users.tmp"), "");
  for (const path of [old, at("users.tmp"), at("file")]) utimesSync(path, 0, 0);
  sweepDrafts(at("."));
  expect(
    names()
      .map((name) => at(name))
      .sort(),
  ).toEqual([...[...EVERYTHING, "users.tmp"].map(at), fresh].sort());
});

const replacements = [
  { file: "file", before: "old", after: "new", isDone: true, text: "new" },
  { file: "file", before: "other", after: "new", isDone: false, text: "old" },
  { file: "file", before: null, after: "new", isDone: false, text: "old" },
  { file: "file", before: "old", after: null, isDone: true, text: null },
  { file: "file", before: "other", after: null, isDone: false, text: "old" },
  { file: "link", before: "old", after: "new", isDone: true, text: "new" },
  { file: "nothing", before: null, after: "new", isDone: true, text: "new" },
  { file: "nothing", before: "old", after: "new", isDone: false, text: null },
  { file: "nothing", before: null, after: null, isDone: true, text: null },
  { file: "deep/er/file", before: null, after: "new", isDone: true, text: "new" },
];
test.for(replacements)("replacing $file: $before by $after", ({ file, before, after, isDone, text }) => {
  const { at } = aFolder();
  chmodSync(at("file"), 0o640);
  expect(replaceFile(at(file), before, after)).toBe(isDone);
  const found = readSmallFile(at(file === "link" ? "file" : file), 99);
  expect(found.ok ? found.bytes.toString() : null).toBe(text);
  expect(lstatSync(at("link")).isSymbolicLink()).toBe(true);
  expect(statSync(at("file"), { throwIfNoEntry: false })?.mode ?? 0o100640).toBe(0o100640);
  expect(readdirSync(at(".")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

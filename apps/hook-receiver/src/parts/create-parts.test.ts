import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../testing/scratch.ts";
import { asPart } from "./as-part.ts";
import { createParts, type Parts } from "./create-parts.ts";

const SOURCES = {
  "one.cjs":
    'exports.where = __dirname; exports.two = () => require("./two.cjs"); exports.path = require("node:path");',
  "two.cjs": "module.exports = { one: require('./one.cjs'), double: (n) => 2 * n };",
};

function stage() {
  const folder = scratchFolder();
  const codeFolder = join(scratchFolder(), "code");
  mkdirSync(codeFolder);
  for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(folder, name), asPart(text));
  const start = (where: string | null = codeFolder): Parts =>
    createParts({ folder, codeFolder: where, require: createRequire(import.meta.url) });
  return { folder, codeFolder, start };
}

interface One {
  readonly where: string;
  readonly two: () => { readonly one: One; readonly double: (n: number) => number };
  readonly path: { readonly sep: string };
}

/** What the kept files say they are for, by the part. */
function usesIn(codeFolder: string): Readonly<Record<string, unknown>> {
  const names = readdirSync(codeFolder).toSorted();
  return Object.fromEntries(
    names.map((name) => [
      name.slice(0, "one.cjs".length),
      JSON.parse(readFileSync(join(codeFolder, name), "utf8").split("\n")[0] ?? ""),
    ]),
  );
}

test("parts load each other once, and everything else as usual", () => {
  const { folder, start } = stage();
  const one = start().load("./one.cjs") as One;
  expect(one.where).toBe(folder);
  expect(one.path.sep).toBe("/");
  expect(one.two().double(4)).toBe(8);
  expect(one.two().one).toBe(one);
  expect(one.two()).toBe(one.two());
});

test("what was loaded is kept once for a use, and again for the next", () => {
  const { codeFolder, start } = stage();
  const use = (name: string, work: (one: One) => unknown) => {
    const parts = start();
    work(parts.load("./one.cjs") as One);
    parts.keep(name);
  };
  use("prompt", () => undefined);
  expect(usesIn(codeFolder)).toEqual({ "one.cjs": ["prompt ./one.cjs"] });
  use("stop", (one) => one.two().double(1));
  const both = { "one.cjs": ["prompt ./one.cjs", "stop ./one.cjs ./two.cjs"], "two.cjs": ["stop ./one.cjs ./two.cjs"] };
  expect(usesIn(codeFolder)).toEqual(both);
  // A file that is written again is another file.
  const files = () => readdirSync(codeFolder).map((name) => statSync(join(codeFolder, name)).ino);
  const before = files();
  use("stop", (one) => one.two());
  use("prompt", () => undefined);
  expect(files()).toEqual(before);
  expect(usesIn(codeFolder)).toEqual(both);
});

test("a changed part is compiled anew, whatever was kept of it", () => {
  const { folder, codeFolder, start } = stage();
  const parts = start();
  expect((parts.load("./one.cjs") as One).two().double(3)).toBe(6);
  parts.keep("stop");
  // As long as before: V8 would take the old code for it.
  writeFileSync(join(folder, "two.cjs"), asPart(SOURCES["two.cjs"].replace("2 * n", "3 * n")));
  const again = start();
  expect((again.load("./one.cjs") as One).two().double(3)).toBe(9);
  again.keep("other");
  expect(usesIn(codeFolder)).toMatchObject({ "two.cjs": ["other ./one.cjs ./two.cjs"] });
});

test("without a folder nothing is kept, and a folder that cannot be written to is no fault", () => {
  const { codeFolder, start } = stage();
  for (const where of [null, join(codeFolder, "gone")]) {
    const parts = start(where);
    expect((parts.load("./one.cjs") as One).two().double(2)).toBe(4);
    parts.keep("stop");
  }
  expect(readdirSync(codeFolder)).toEqual([]);
});

test("what was left there long ago goes when something new is kept", () => {
  const { codeFolder, start } = stage();
  const old = join(codeFolder, "one.cjs-v1.0.0-x64");
  const young = join(codeFolder, "one.cjs-v2.0.0-x64");
  for (const path of [old, young]) writeFileSync(path, "x");
  const longAgo = new Date(Date.now() - 100 * 24 * 60 * 60 * 1000);
  utimesSync(old, longAgo, longAgo);
  const parts = start();
  parts.load("./one.cjs");
  parts.keep("stop");
  expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
});

test("a part that is not there, or throws, is an error", () => {
  const { folder, start } = stage();
  writeFileSync(join(folder, "bad.cjs"), asPart("throw new RangeError('out of it');"));
  expect(() => start().load("./nothing.cjs")).toThrow(/ENOENT/);
  expect(() => start().load("./bad.cjs")).toThrow("out of it");
});

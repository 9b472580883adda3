import {
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyToFree, moveToFree, openNew, publish } from "./index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "move-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.for([
  { name: "moveToFree", give: moveToFree, left: ["to"] },
  { name: "copyToFree", give: copyToFree, left: ["from", "to"] },
])("$name gives a file its name with its permissions, and a link as a link", ({ give, left }) => {
  const [from, to] = [join(folder, "from"), join(folder, "to")];
  writeFileSync(from, "x", { mode: 0o640 });
  give(from, to);
  expect([readFileSync(to, "utf8"), lstatSync(to).mode & 0o777, readdirSync(folder)]).toEqual(["x", 0o640, left]);
  symlinkSync("nowhere", join(folder, "link"));
  give(join(folder, "link"), join(folder, "other"));
  expect(readlinkSync(join(folder, "other"))).toBe("nowhere");
});

test.for([moveToFree, copyToFree])("a name that is taken keeps what it has", (give) => {
  const [from, to] = [join(folder, "from"), join(folder, "to")];
  writeFileSync(from, "x");
  writeFileSync(to, "theirs");
  expect(() => give(from, to)).toThrow("EEXIST");
  expect([from, to].map((path) => readFileSync(path, "utf8"))).toEqual(["x", "theirs"]);
  expect(() => openNew(to)).toThrow("EEXIST");
});

test("a draft is published under its name, and goes if the name is taken", () => {
  const [draft, path] = [join(folder, "draft"), join(folder, "path")];
  for (const text of ["first", "second"]) {
    writeFileSync(draft, text);
    publish(draft, path);
    expect([readdirSync(folder), readFileSync(path, "utf8")]).toEqual([["path"], "first"]);
  }
});

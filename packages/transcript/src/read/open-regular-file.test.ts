import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestFolder, newFolder } from "../testing/copy-recordings.ts";
import { openRegularFile, refusalOf, withRegularFile } from "./files.ts";

let folder: TestFolder;
beforeAll(() => {
  folder = newFolder();
  const at = (name: string): string => join(folder.path, name);
  writeFileSync(at("file"), "text");
  mkdirSync(at("folder"));
  execFileSync("mkfifo", [at("fifo")]);
  symlinkSync(at("file"), at("link to a file"));
  symlinkSync(at("gone"), at("broken link"));
  symlinkSync(at("loop"), at("loop"));
  symlinkSync(at("fifo"), at("link to a fifo"));
  symlinkSync("/dev/zero", at("link to a device"));
});
afterAll(() => folder.remove());

const cases = [
  { path: "file", reading: { status: "read", value: 4 } },
  { path: "link to a file", reading: { status: "read", value: 4 } },
  { path: "nothing", reading: { status: "refused", reason: "missing" } },
  { path: "file/below", reading: { status: "refused", reason: "missing" } },
  { path: "broken link", reading: { status: "refused", reason: "missing" } },
  { path: "loop", reading: { status: "refused", reason: "unreadable" } },
  { path: "folder", reading: { status: "refused", reason: "unreadable" } },
  { path: "fifo", reading: { status: "refused", reason: "unreadable" } },
  { path: "link to a fifo", reading: { status: "refused", reason: "unreadable" } },
  { path: "link to a device", reading: { status: "refused", reason: "unreadable" } },
  { path: "a name with \0 in it", reading: { status: "refused", reason: "unreadable" } },
];

test.for(cases)("$path", ({ path, reading }) => {
  expect(withRegularFile(join(folder.path, path), ({ size }) => size)).toEqual(reading);
});

test("a bug in the reader is not hidden", () => {
  const buggy = (): never => {
    throw new TypeError("a bug");
  };
  expect(() => withRegularFile(join(folder.path, "file"), buggy)).toThrow("a bug");
});

/** The system gives the lowest number that is free. */
const nextDescriptor = (): number => {
  const fd = openSync(import.meta.filename, "r");
  closeSync(fd);
  return fd;
};

test.for(cases.filter(({ reading }) => reading.status === "refused"))(
  "nothing is left open of $path",
  ({ path, reading }) => {
    const before = nextDescriptor();
    expect(openRegularFile(join(folder.path, path))).toEqual(reading);
    expect(nextDescriptor()).toBe(before);
  },
);

test("a file that is opened stays so until the caller closes it", () => {
  const fd = nextDescriptor();
  expect(openRegularFile(join(folder.path, "file"))).toEqual({ status: "read", value: { fd, size: 4 } });
  expect(nextDescriptor()).not.toBe(fd);
  closeSync(fd);
  expect(nextDescriptor()).toBe(fd);
});

test("a reader that fails leaves no file open", () => {
  const before = nextDescriptor();
  const failing = (): never => {
    throw Object.assign(new Error("a broken disk"), { code: "EIO" });
  };
  const reading = withRegularFile(join(folder.path, "file"), failing);
  expect(reading).toEqual({ status: "refused", reason: "unreadable" });
  expect(nextDescriptor()).toBe(before);
});

test("only what the system reports is a refusal", () => {
  expect(refusalOf(Object.assign(new Error("gone"), { code: "ENOENT" }))).toEqual({
    status: "refused",
    reason: "missing",
  });
  expect(() => refusalOf(new TypeError("a bug"))).toThrow("a bug");
});

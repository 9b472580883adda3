import { appendFileSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { createWorkspace } from "./testing/workspace.ts";
import { readStable, readWhole } from "./read-files.ts";

/** How many of the reads somebody writes into the file during, and what comes of it. */
const WRITERS = [
  { writes: 0, read: "one\n", reads: 1 },
  { writes: 1, read: "one\nmore\n", reads: 2 },
  { writes: 2, read: "one\nmore\nmore\n", reads: 3 },
  { writes: Infinity, read: "changing", reads: 3 },
];

test.for(WRITERS)("written to during the first $writes reads: $read", ({ writes, read, reads }) => {
  const { root, write } = createWorkspace({ git: false });
  write("log", "one\n");
  let count = 0;
  const result = readStable(join(root, "log"), (file, size) => {
    const bytes = readWhole(file, size);
    count += 1;
    if (count <= writes) appendFileSync(join(root, "log"), "more\n");
    return bytes.toString();
  });
  expect({ read: typeof result === "string" ? result : result.value, reads: count }).toEqual({ read, reads });
});

test("what is no file of its own is gone, and never read", () => {
  const { root, write } = createWorkspace({ git: false });
  write("file", "one\n");
  symlinkSync("file", join(root, "link"));
  mkdirSync(join(root, "folder"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  const read = (): never => {
    throw new Error("read");
  };
  for (const name of ["link", "folder", "pipe", "nothing", "file/inside"])
    expect(readStable(join(root, name), read)).toBe("gone");
});

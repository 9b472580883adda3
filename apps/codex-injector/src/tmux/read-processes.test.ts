import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readProcesses } from "./codex-processes.ts";

/** A folder that looks like /proc. */
function procFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "proc-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test("processes with any name are read, and what is none is passed over", async () => {
  const folder = procFolder({
    "7/stat": "7 (codex) S 1 7 7 34816 20 4194304 0",
    "8/stat": "8 (a ) (b) R 7 20 7 34816 20 4194304 0",
    "9/status": "gone while it was looked at",
    "self/stat": "7 (codex) S 1 7 7 34816 20 4194304 0",
  });
  expect(await readProcesses(folder)).toEqual([
    { pid: 7, name: "codex", group: 7, terminalGroup: 20 },
    { pid: 8, name: "a ) (b", group: 20, terminalGroup: 20 },
  ]);
});

test("a system without /proc tells nothing", async () => {
  expect(await readProcesses("/no/such/folder")).toBeNull();
});

test.runIf(existsSync("/proc/self/stat"))("this process is among those of the machine", async () => {
  expect(await readProcesses()).toContainEqual(expect.objectContaining({ pid: process.pid }));
});

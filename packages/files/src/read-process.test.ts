import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { askPs, readProcess } from "./read-process.ts";

/** A process that waits, with these words behind its name. */
function started(...words: readonly string[]) {
  const script = "setInterval(() => undefined, 1000)";
  const child = spawn(process.execPath, ["-e", script, "--", ...words], { stdio: "ignore" });
  onTestFinished(() => void child.kill());
  return new Promise<number>((resolve) => {
    child.on("spawn", () => resolve(child.pid ?? 0));
  });
}

const readers = [
  { reader: "the system's own way", read: readProcess, isThere: true },
  { reader: "ps", read: askPs, isThere: existsSync("/bin/ps") },
];
test.for(readers.filter(({ isThere }) => isThere))(
  "by $reader: a process, its parent and its words",
  async ({ read }) => {
    const pid = await started("--max-turns", "3");
    const found = read(pid);
    expect(found?.parent).toBe(process.pid);
    expect(found?.argv[0]).toBe(process.execPath);
    expect(found?.argv.slice(-2)).toEqual(["--max-turns", "3"]);
    expect(read(2 ** 30)).toBeNull();
  },
);

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readTurns } from "./read-turns.ts";
import { type TestFolder, copyRecordings } from "./testing/copy-recordings.ts";

let folder: TestFolder;
beforeAll(() => {
  folder = copyRecordings("claude");
});
afterAll(() => folder.remove());

const MB = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage: unknown = runInNewContext("gc");

/** What is in memory because somebody still holds it, in bytes. */
const heldBytes = (): number => {
  if (typeof collectGarbage === "function") collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

test("only one turn is in memory, however large the file", () => {
  const turn = readFileSync(join(folder.path, "blocked-once-then-finished.jsonl"), "utf8");
  const padding = JSON.stringify({ type: "progress", data: "x".repeat(MB / 4) });
  const path = join(folder.path, "large.jsonl");
  writeFileSync(path, "");
  const TURNS = 192;
  for (let count = 0; count < TURNS; count += 1) appendFileSync(path, `${turn}${padding}\n`);
  const before = heldBytes();
  let count = 0;
  let most = 0;
  for (const { timeline } of readTurns(path, "claude")) {
    expect(timeline.toolCalls).toHaveLength(5);
    count += 1;
    if (count % 16 === 0) most = Math.max(most, heldBytes() - before);
  }
  expect(count).toBe(TURNS);
  expect(readFileSync(path).length).toBeGreaterThan(48 * MB);
  expect(most).toBeLessThan(8 * MB);
});

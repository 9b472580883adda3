import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestFolder, copyRecordings } from "./testing/copy-recordings.ts";
import { lastWords } from "./formats/claude/read-turn.ts";
import { readWhenWritten } from "./extract-tool-calls-current-turn.ts";

let claude: TestFolder;
beforeAll(() => {
  claude = copyRecordings("claude");
});
afterAll(() => claude.remove());

/** Whether the transcript ended with the text when it was read; null if it could not be read. */
async function endsInTime(
  path: string,
  text: string,
  wait: { waitMs: number; intervalMs?: number; mayBeMissing?: boolean },
) {
  const awaited = { lastWords, mayBeMissing: false, text, ...wait };
  const reading = await readWhenWritten(path, awaited, (_file, isWritten) => isWritten);
  return reading.status === "read" ? reading.value : null;
}

const recorded = (): string => join(claude.path, "blocked-once-then-finished.jsonl");

test("the last words are there already", async () => {
  expect(await endsInTime(recorded(), "The check passes.", { waitMs: 0 })).toBe(true);
});

test("white space around the last words does not count", async () => {
  expect(await endsInTime(recorded(), "The check passes. \n", { waitMs: 0 })).toBe(true);
});

test("earlier words are not the last", async () => {
  expect(await endsInTime(recorded(), "The greeting is loud now.", { waitMs: 30 })).toBe(false);
});

test("a file that does not exist is not waited for", async () => {
  const start = performance.now();
  expect(await endsInTime(join(claude.path, "nothing.jsonl"), "Done.", { waitMs: 5000 })).toBeNull();
  expect(performance.now() - start).toBeLessThan(1000);
});

test("a file that may come late is waited for, and given up after the time", async () => {
  const path = join(claude.path, "late.jsonl");
  expect(await endsInTime(path, "The check passes.", { waitMs: 20, mayBeMissing: true })).toBeNull();
  setTimeout(() => copyFileSync(recorded(), path), 40);
  expect(await endsInTime(path, "The check passes.", { waitMs: 5000, mayBeMissing: true })).toBe(true);
});

test("the last words arrive while it waits", async () => {
  const path = join(claude.path, "growing.jsonl");
  const lines = readFileSync(recorded(), "utf8").trimEnd().split("\n");
  const last = lines.findIndex((line) => line.includes('"text":"The check passes."'));
  writeFileSync(path, `${lines.slice(0, last).join("\n")}\n`);
  setTimeout(() => appendFileSync(path, `${lines.slice(last).join("\n")}\n`), 40);
  expect(await endsInTime(path, "The check passes.", { waitMs: 5000, intervalMs: 4 })).toBe(true);
});

test("a very long answer with quotes, line ends and other alphabets is found", async () => {
  const path = join(claude.path, "long.jsonl");
  copyFileSync(recorded(), path);
  const text = `${'He said "ja",\n\tthen „nein“ — 好的 👍\n'.repeat(12_000)}Ende.  `;
  const message = { role: "assistant", content: [{ type: "text", text }] };
  appendFileSync(path, `${JSON.stringify({ type: "assistant", isSidechain: false, message, sessionId: "s" })}\n`);
  appendFileSync(path, `${JSON.stringify({ type: "system", subtype: "turn_duration", sessionId: "s" })}\n`);
  expect(await endsInTime(path, text.trim(), { waitMs: 0 })).toBe(true);
});

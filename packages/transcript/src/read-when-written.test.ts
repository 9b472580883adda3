import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestFolder, copyRecordings } from "./testing/copy-recordings.ts";
import { readWhenWritten } from "./extract-tool-calls-current-turn.ts";

let claude: TestFolder;
beforeAll(() => {
  claude = copyRecordings("claude");
});
afterAll(() => claude.remove());

/** Whether the transcript ended with the text when it was read; null if it could not be read. */
async function endsInTime(path: string, text: string, wait: { timeoutMs: number; intervalMs?: number }) {
  const reading = await readWhenWritten(path, { text, ...wait }, (_file, isWritten) => isWritten);
  return reading.status === "read" ? reading.value : null;
}

const recorded = (): string => join(claude.path, "blocked-once-then-finished.jsonl");

test("the last words are there already", async () => {
  expect(await endsInTime(recorded(), "The check passes.", { timeoutMs: 0 })).toBe(true);
});

test("white space around the last words does not count", async () => {
  expect(await endsInTime(recorded(), "The check passes. \n", { timeoutMs: 0 })).toBe(true);
});

test("earlier words are not the last", async () => {
  expect(await endsInTime(recorded(), "The greeting is loud now.", { timeoutMs: 30 })).toBe(false);
});

test("a file that does not exist is not waited for", async () => {
  const start = performance.now();
  expect(await endsInTime(join(claude.path, "nothing.jsonl"), "Done.", { timeoutMs: 5000 })).toBeNull();
  expect(performance.now() - start).toBeLessThan(1000);
});

test("the last words arrive while it waits", async () => {
  const path = join(claude.path, "growing.jsonl");
  const lines = readFileSync(recorded(), "utf8").trimEnd().split("\n");
  const last = lines.findIndex((line) => line.includes('"text":"The check passes."'));
  writeFileSync(path, `${lines.slice(0, last).join("\n")}\n`);
  setTimeout(() => appendFileSync(path, `${lines.slice(last).join("\n")}\n`), 40);
  expect(await endsInTime(path, "The check passes.", { timeoutMs: 5000, intervalMs: 4 })).toBe(true);
});

test("a very long answer with quotes, line ends and other alphabets is found", async () => {
  const path = join(claude.path, "long.jsonl");
  copyFileSync(recorded(), path);
  const text = `${'He said "ja",\n\tthen „nein“ — 好的 👍\n'.repeat(12_000)}Ende.  `;
  const message = { role: "assistant", content: [{ type: "text", text }] };
  appendFileSync(path, `${JSON.stringify({ type: "assistant", isSidechain: false, message, sessionId: "s" })}\n`);
  appendFileSync(path, `${JSON.stringify({ type: "system", subtype: "turn_duration", sessionId: "s" })}\n`);
  expect(await endsInTime(path, text.trim(), { timeoutMs: 0 })).toBe(true);
});

test("the words of other agents are found near the end", async () => {
  const path = join(claude.path, "rollout.jsonl");
  const said = 'All "done".';
  writeFileSync(
    path,
    `${JSON.stringify({ timestamp: "t", type: "event_msg", payload: { type: "agent_message", message: said } })}\n`,
  );
  expect(await endsInTime(path, said, { timeoutMs: 0 })).toBe(true);
  expect(await endsInTime(path, `Others wrote this. ${said}`, { timeoutMs: 20 })).toBe(false);
  expect(await endsInTime(path, "Not done.", { timeoutMs: 20 })).toBe(false);
});

test("the end of a long answer of other agents is enough", async () => {
  const path = join(claude.path, "long-rollout.jsonl");
  const said = 'One "word" more. '.repeat(40);
  const payload = { type: "agent_message", message: `As it was cut: ${said.slice(100)}` };
  writeFileSync(path, `${JSON.stringify({ timestamp: "t", type: "event_msg", payload })}\n`);
  expect(await endsInTime(path, said, { timeoutMs: 0 })).toBe(true);
});

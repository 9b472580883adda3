import { expect, test } from "vitest";
import { endingOf } from "./ending-of.ts";

const prompt = { offset: 0, digest: "", timestamp: null, id: "m" };

const message = (type: string, content: unknown, more: object = {}): object => ({ type, content, ...more });

const asked = message("user", [{ text: "Check the greeting" }]);
const said = message("gemini", "Done.");
const calls = (status: string, content = ""): object =>
  message("gemini", content, { toolCalls: [{ id: "c", status }] });
const result = message("user", [{ functionResponse: { id: "c" } }]);

const cases = [
  { end: "the model's words", messages: [asked, calls("success"), result, said], kind: "stopped" },
  { end: "words in parts", messages: [asked, message("gemini", [{ text: "Do" }, { text: "ne." }])], kind: "stopped" },
  { end: "words and an empty list of calls", messages: [asked, { ...said, toolCalls: [] }], kind: "stopped" },
  { end: "a note after the words", messages: [asked, said, message("info", "Press F12")], kind: "stopped" },
  { end: "a warning after the words", messages: [asked, said, message("warning", "…")], kind: "stopped" },
  { end: "the prompt", messages: [asked], kind: "unfinished" },
  { end: "an answer that has only begun", messages: [asked, said, message("gemini", " ")], kind: "unfinished" },
  { end: "calls", messages: [asked, calls("success")], kind: "unfinished" },
  { end: "words beside calls", messages: [asked, calls("success", "I look.")], kind: "unfinished" },
  { end: "a failed call", messages: [asked, calls("error"), result], kind: "unfinished" },
  { end: "a result", messages: [asked, calls("success"), result], kind: "unfinished" },
  { end: "a cancelled call", messages: [asked, calls("cancelled"), result], kind: "interrupted" },
  { end: "Escape", messages: [asked, said, message("info", "Request cancelled.")], kind: "interrupted" },
  { end: "an error", messages: [asked, said, message("error", "[API Error: …]")], kind: "failed" },
];

test.for(cases)("$end: $kind", ({ messages, kind }) => {
  const entries = messages.map((value, offset) => ({ offset, value: { ...value } })).toReversed();
  expect(endingOf(entries, { path: "session.jsonl", prompt })).toEqual({ kind, at: null });
});

test("the moment is that of the message that tells", () => {
  const messages = [
    { ...said, timestamp: "2026-11-16T02:00:01.000Z" },
    { type: "info", content: "Press F12", timestamp: "2026-11-16T02:00:09.000Z" },
  ];
  const entries = messages.map((value, offset) => ({ offset, value })).toReversed();
  expect(endingOf(entries, { path: "session.jsonl", prompt })).toEqual({
    kind: "stopped",
    at: new Date("2026-11-16T02:00:01.000Z"),
  });
});

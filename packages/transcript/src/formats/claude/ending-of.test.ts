import { expect, test } from "vitest";
import type { TurnPrompt } from "../../types.ts";
import { endingOf } from "./ending-of.ts";

const prompt: TurnPrompt = { offset: 0, digest: "", timestamp: null, id: "p" };

const user = (content: unknown, more: object = {}): object => ({ type: "user", message: { content }, ...more });
const assistant = (content: unknown, more: object = {}, model = "claude-x"): object => ({
  type: "assistant",
  message: { model, content },
  ...more,
});

const text = [{ type: "text", text: "Done." }];
const asked = user("Check the greeting");
const call = assistant([{ type: "tool_use", id: "t", name: "Bash", input: {} }]);
const result = user([{ type: "tool_result", tool_use_id: "t", content: "ok" }]);
const said = assistant(text);

const cases = [
  { end: "the agent's words", lines: [asked, call, result, said], kind: "stopped" },
  { end: "words as one text", lines: [asked, assistant("Done.")], kind: "stopped" },
  {
    end: "notes after the words",
    lines: [asked, said, { type: "system", subtype: "x" }, { type: "cost-state" }],
    kind: "stopped",
  },
  { end: "a notification after the words", lines: [asked, said, user("<task-notification>…")], kind: "stopped" },
  {
    end: "a command after the words",
    lines: [asked, said, user("<command-name>/cost</command-name>")],
    kind: "stopped",
  },
  { end: "a sub-agent's call after the words", lines: [asked, said, { ...call, isSidechain: true }], kind: "stopped" },
  { end: "the prompt", lines: [asked], kind: "unfinished" },
  { end: "a call", lines: [asked, said, call], kind: "unfinished" },
  {
    end: "words beside a call",
    lines: [asked, assistant([...text, { type: "tool_use", id: "t" }])],
    kind: "unfinished",
  },
  { end: "a result", lines: [asked, call, result], kind: "unfinished" },
  { end: "a thought", lines: [asked, said, assistant([{ type: "thinking", thinking: "…" }])], kind: "unfinished" },
  { end: "Escape", lines: [asked, said, user("[Request interrupted by user]")], kind: "interrupted" },
  {
    end: "Escape while a tool ran",
    lines: [asked, call, result, user([{ type: "text", text: "[Request interrupted by user for tool use]" }])],
    kind: "interrupted",
  },
  { end: "an error of the API", lines: [asked, assistant(text, { isApiErrorMessage: true })], kind: "failed" },
  { end: "words in the model's place", lines: [asked, assistant(text, {}, "<synthetic>")], kind: "failed" },
];

test.for(cases)("$end: $kind", ({ lines, kind }) => {
  const entries = lines.map((value, offset) => ({ offset, value: { ...value } })).toReversed();
  expect(endingOf(entries, { path: "session.jsonl", prompt })).toEqual({ kind, at: null });
});

test("the moment is that of the line that tells", () => {
  const lines = [
    { ...asked, timestamp: "2026-11-16T02:00:00.000Z" },
    { ...said, timestamp: "2026-11-16T02:00:01.000Z" },
    { type: "system", timestamp: "2026-11-16T02:00:09.000Z" },
  ];
  const entries = lines.map((value, offset) => ({ offset, value })).toReversed();
  expect(endingOf(entries, { path: "session.jsonl", prompt })).toEqual({
    kind: "stopped",
    at: new Date("2026-11-16T02:00:01.000Z"),
  });
});

test("in a sub-agent's own file its lines are those that tell", () => {
  const entries = [{ offset: 0, value: { ...said, isSidechain: true } }];
  expect(endingOf(entries, { path: "/chats/agent-1.jsonl", prompt })).toMatchObject({ kind: "stopped" });
  expect(endingOf(entries, { path: "/chats/session.jsonl", prompt })).toMatchObject({ kind: "unfinished" });
});

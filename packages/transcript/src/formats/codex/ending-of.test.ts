import { describe, expect, test } from "vitest";
import type { TurnEnding } from "../../types.ts";
import { endingOf } from "./ending-of.ts";

const event = (type: string, more: object = {}): object => ({ type: "event_msg", payload: { type, ...more } });
const item = (type: string, more: object = {}): object => ({ type: "response_item", payload: { type, ...more } });

const ending = (lines: readonly object[], id: string | null): TurnEnding => {
  const entries = lines.map((value, offset) => ({ offset, value: { ...value } })).toReversed();
  return endingOf(entries, { path: "rollout.jsonl", prompt: { offset: 0, digest: "", timestamp: null, id } });
};

const said = item("message", { role: "assistant", content: [{ type: "output_text", text: "Done." }] });
const call = item("function_call", { name: "shell", call_id: "c" });
const output = item("function_call_output", { call_id: "c", output: "ok" });
const complete = (more: object = {}): object =>
  event("task_complete", { turn_id: "t", last_agent_message: "Done.", ...more });

describe("a turn with an id", () => {
  const cases = [
    { end: "a complete task", lines: [call, output, said, complete()], kind: "stopped" },
    { end: "a complete task without an id", lines: [said, complete({ turn_id: undefined })], kind: "stopped" },
    { end: "what comes after the task", lines: [complete(), event("token_count"), output], kind: "stopped" },
    {
      end: "a task of its own after it",
      lines: [complete(), event("turn_aborted", { turn_id: "u" })],
      kind: "stopped",
    },
    { end: "another task", lines: [said, complete({ turn_id: "u" })], kind: "unfinished" },
    { end: "a task without last words", lines: [complete({ last_agent_message: null })], kind: "unfinished" },
    { end: "a task with empty last words", lines: [complete({ last_agent_message: "" })], kind: "unfinished" },
    { end: "the agent's words", lines: [call, output, said], kind: "unfinished" },
    { end: "nothing", lines: [], kind: "unfinished" },
    { end: "Escape", lines: [call, event("turn_aborted", { turn_id: "t" })], kind: "interrupted" },
    { end: "a task with an error", lines: [complete({ error: { message: "Overloaded" } })], kind: "failed" },
    { end: "a task with no error", lines: [complete({ error: null })], kind: "stopped" },
    { end: "an error", lines: [said, event("error", { message: "Overloaded" })], kind: "failed" },
  ];

  test.for(cases)("$end: $kind", ({ lines, kind }) => {
    expect(ending(lines, "t")).toEqual({ kind, at: null });
  });
});

describe("a turn of 2025, without an id", () => {
  const note = (text: string): object => item("message", { role: "user", content: [{ type: "input_text", text }] });

  const cases = [
    { end: "the agent's words", lines: [call, output, said], kind: "stopped" },
    { end: "words without an envelope", lines: [{ type: "message", role: "assistant", content: [] }], kind: "stopped" },
    { end: "a count after the words", lines: [said, event("token_count")], kind: "stopped" },
    { end: "a thought after the words", lines: [said, item("reasoning")], kind: "stopped" },
    { end: "context after the words", lines: [said, note("<environment_context>…")], kind: "stopped" },
    { end: "a call", lines: [said, call], kind: "unfinished" },
    { end: "a result", lines: [call, output], kind: "unfinished" },
    { end: "nothing", lines: [], kind: "unfinished" },
    { end: "Escape", lines: [said, event("turn_aborted", { reason: "interrupted" })], kind: "interrupted" },
    { end: "a note of Escape", lines: [call, output, note("\n<turn_aborted>\n…")], kind: "interrupted" },
    { end: "an error", lines: [said, event("error", { message: "Overloaded" })], kind: "failed" },
  ];

  test.for(cases)("$end: $kind", ({ lines, kind }) => {
    expect(ending(lines, null)).toEqual({ kind, at: null });
  });
});

const at = (second: number, line: object): object => ({ ...line, timestamp: `2026-11-16T02:00:0${second}.000Z` });

test("the moment is that of the line that tells", () => {
  const lines = [at(1, said), at(2, complete()), at(9, event("token_count"))];
  expect(ending(lines, "t")).toEqual({ kind: "stopped", at: new Date("2026-11-16T02:00:02.000Z") });
});

test("where none tells, it is that of the last line", () => {
  const lines = [at(1, said), at(3, call), event("token_count")];
  expect(ending(lines, "t")).toEqual({ kind: "unfinished", at: new Date("2026-11-16T02:00:03.000Z") });
});

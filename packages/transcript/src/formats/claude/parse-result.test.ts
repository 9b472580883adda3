import { expect, test } from "vitest";
import { parseResult } from "./calls.ts";

const STDOUT = { stdout: "ok", stderr: "", interrupted: false, isImage: false };

const cases = [
  {
    result: "a command that worked",
    block: { content: "ok", is_error: false },
    details: STDOUT,
    outcome: { hadError: false, exitCode: 0 },
  },
  {
    result: "a command in a sub-agent's file",
    block: { content: "ok", is_error: false },
    outcome: { hadError: false, exitCode: 0 },
  },
  {
    result: "a command that failed",
    block: { content: "Exit code 3\nno", is_error: true },
    details: "Error: Exit code 3\nno",
    outcome: { hadError: true, exitCode: 3 },
  },
  {
    result: "a command that failed in 1.0",
    block: { content: "no", is_error: true },
    outcome: { hadError: true, exitCode: null },
  },
  {
    result: "a search that found nothing",
    block: { content: "", is_error: false },
    details: { ...STDOUT, returnCodeInterpretation: "No matches found" },
    outcome: { hadError: false, exitCode: null },
  },
  {
    result: "a command that was interrupted",
    block: { content: "half", is_error: false },
    details: { ...STDOUT, interrupted: true },
    outcome: { hadError: null, exitCode: null },
  },
  {
    result: "a command in the background",
    block: { content: "Started", is_error: false },
    details: { ...STDOUT, backgroundTaskId: "b1" },
    outcome: { hadError: null, exitCode: null },
    task: "b1",
  },
  {
    result: "a command in the background, told by its text only",
    block: { content: "Command running in background with ID: b1. Output is being written to: …", is_error: false },
    outcome: { hadError: null, exitCode: null },
    task: "b1",
  },
  {
    result: "a command moved to the background, told by its text only",
    block: {
      content: "Command did not complete within its 1s timeout and was moved to the background (ID: b1). …",
      is_error: false,
    },
    outcome: { hadError: null, exitCode: null },
    task: "b1",
  },
  { result: "a file that was read", block: { content: "1\thello" }, outcome: { hadError: false, exitCode: null } },
  {
    result: "a tool that does not exist",
    block: { content: "<tool_use_error>No such tool</tool_use_error>", is_error: true },
    outcome: { hadError: true, exitCode: null },
  },
  {
    result: "a refusal",
    block: {
      content: "The user doesn't want to proceed with this tool use. The tool use was rejected …",
      is_error: true,
    },
    outcome: { hadError: true, rejected: true, exitCode: null },
  },
  {
    result: "a call cancelled with others",
    block: { content: "Cancelled: parallel tool call Bash(ls) errored", is_error: true },
    outcome: { hadError: true, exitCode: null },
  },
  {
    result: "blocks of text and an image",
    block: { content: [{ type: "text", text: "one" }, { type: "image" }, { type: "text", text: "two" }] },
    outcome: { hadError: false, exitCode: null, snippet: "one\ntwo" },
  },
  {
    result: "an answer in JSON, with what a runner printed",
    block: { content: [{ type: "text", text: JSON.stringify({ exitCode: 0, output: "4 passed in 0.12s\n" }) }] },
    outcome: { hadError: false, exitCode: null, reports: [{ runner: "pytest", passed: 4 }] },
  },
  {
    result: "files that a command changed",
    block: { content: "", is_error: false },
    details: { ...STDOUT, bashEditDiff: { files: [], changedFiles: ["/p/a.ts"] } },
    outcome: { hadError: false, exitCode: 0, files: ["/p/a.ts"] },
  },
];

test.for(cases)("$result", ({ block, details, outcome, task = null }) => {
  const line = { type: "user", ...(details === undefined ? {} : { toolUseResult: details }) };
  expect(parseResult({ type: "tool_result", tool_use_id: "toolu_1", ...block }, line)).toMatchObject({
    callId: "toolu_1",
    backgroundTask: task,
    outcome: { rejected: false, files: [], ...outcome },
  });
});

test("the sub-agent that a call started", () => {
  const line = { type: "user", toolUseResult: { status: "async_launched", agentId: "a1" } };
  const result = parseResult({ type: "tool_result", tool_use_id: "toolu_1", content: "Launched" }, line);
  expect(result).toMatchObject({ agentId: "a1", outcome: { hadError: false } });
});

test("a block that is no result", () => {
  expect(parseResult({ type: "text", text: "And this" }, { type: "user" })).toBeNull();
});

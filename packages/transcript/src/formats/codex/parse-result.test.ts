import { expect, test } from "vitest";
import { parseResult } from "./parse-result.ts";

const header = (state: string): string =>
  `Chunk ID: 4e5fdf\nWall time: 0.0000 seconds\n${state}\nOriginal token count: 12\nOutput:\n`;

const cases = [
  {
    shape: "JSON with metadata, success",
    output: '{"output":"3 passed\\n","metadata":{"exit_code":0,"duration_seconds":0.1}}',
    end: { hadError: false, exitCode: 0, snippet: "3 passed\n" },
  },
  {
    shape: "JSON with metadata, failure",
    output: '{"output":"1 failed\\n","metadata":{"exit_code":2,"duration_seconds":0.1}}',
    end: { hadError: true, exitCode: 2, snippet: "1 failed\n" },
  },
  {
    shape: "exit code first, success",
    output: "Exit code: 0\nWall time: 0.1 seconds\nOutput:\nok",
    end: { hadError: false, exitCode: 0 },
  },
  {
    shape: "exit code first, failure",
    output: "Exit code: 1\nWall time: 0.1 seconds\nOutput:\nno",
    end: { hadError: true, exitCode: 1 },
  },
  {
    shape: "a patch through the shell",
    output: "Wall time: 0.0000 seconds\nOutput:\nExit code: 1\nWall time: 0 seconds\nOutput:\nno",
    end: { hadError: true, exitCode: 1 },
  },
  {
    shape: "process header, success",
    output: header("Process exited with code 0"),
    end: { hadError: false, exitCode: 0 },
  },
  {
    shape: "process header, failure",
    output: header("Process exited with code 127"),
    end: { hadError: true, exitCode: 127 },
  },
  {
    shape: "process header, killed",
    output: header("Process exited with code -1"),
    end: { hadError: true, exitCode: -1 },
  },
  {
    shape: "process header, running",
    output: header("Process running with session ID 4964"),
    end: { hadError: null },
    session: "4964",
  },
  {
    shape: "command first",
    output: `Command: /bin/zsh -lc 'npm test\nnpm run lint'\n${header("Process exited with code 3")}`,
    end: { hadError: true, exitCode: 3 },
  },
  {
    shape: "output that imitates a failure",
    output: `${header("Process exited with code 0")}Process exited with code 1\nExit code: 1\n`,
    end: { hadError: false, exitCode: 0 },
  },
  {
    shape: "a list of texts",
    output: [
      { type: "input_text", text: header("Process exited with code 3") },
      { type: "input_text", text: "no" },
    ],
    end: { hadError: true, exitCode: 3 },
  },
  { shape: "a list with an image", output: [{ type: "input_image", image_url: "data:" }], end: { hadError: false } },
  {
    shape: "a script that completed",
    output: "Script completed\nWall time 0.1 seconds\nOutput:\n",
    end: { hadError: false },
  },
  { shape: "a script that failed", output: "Script failed\nWall time 0.1 seconds\nOutput:\n", end: { hadError: true } },
  { shape: "a script that runs", output: "Script running with cell ID 7", end: { hadError: null } },
  {
    shape: "a patch that does not fit",
    output: "apply_patch verification failed: Failed to find expected lines",
    end: { hadError: true },
  },
  { shape: "an empty patch", output: "patch rejected: empty patch", end: { hadError: true } },
  {
    shape: "bad arguments",
    output: "failed to parse function arguments: missing field `cmd`",
    end: { hadError: true },
  },
  { shape: "an unknown tool", output: "unsupported call: sing", end: { hadError: true } },
  { shape: "an interrupted command", output: "aborted by user after 170.7s", end: { hadError: true, rejected: true } },
  {
    shape: "a declined command",
    output: "Wall time: 3.0 seconds\naborted by user",
    end: { hadError: true, rejected: true },
  },
  { shape: "the plain answer of a tool", output: "Plan updated", end: { hadError: false } },
  { shape: "JSON that is an answer", output: '{"agent_id":"0199","nickname":"Ada"}', end: { hadError: false } },
];

test.for(cases)("$shape", ({ output, end, session = null }) => {
  const result = parseResult({ type: "function_call_output", call_id: "call_1", output });
  expect(result).toMatchObject({
    callId: "call_1",
    runningSession: session,
    outcome: { rejected: false, exitCode: null, ...end },
  });
});

test("an item that is no output has no result", () => {
  expect(parseResult({ type: "function_call", call_id: "call_1", name: "shell", arguments: "{}" })).toBeNull();
});

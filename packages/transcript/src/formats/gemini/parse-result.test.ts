import { expect, test } from "vitest";
import { parseResult } from "./calls.ts";

const shell = (output: string, status = "success"): object => ({
  status,
  result: [{ functionResponse: { id: "1", name: "run_shell_command", response: { output } } }],
});

const OLD = (code: string, signal: string): string =>
  `Command: npm test\nDirectory: (root)\nOutput: no\nError: (none)\nExit Code: ${code}\nSignal: ${signal}\nBackground PIDs: (none)\nProcess Group PGID: 88536`;

const wrapped = (lines: string): string => `<untrusted_context>\n${lines}\n</untrusted_context>`;

const cases = [
  {
    result: "success",
    value: shell(wrapped("Output: ok\nProcess Group PGID: 71")),
    end: { hadError: false, exitCode: 0 },
  },
  {
    result: "an exit code",
    value: shell(wrapped("Output: no\nExit Code: 3\nProcess Group PGID: 71")),
    end: { hadError: true, exitCode: 3 },
  },
  {
    result: "a signal",
    value: shell(wrapped("Output: (empty)\nSignal: 9\nProcess Group PGID: 71")),
    end: { hadError: true, exitCode: null },
  },
  {
    result: "processes left behind",
    value: shell(wrapped("Output: no\nExit Code: 1\nBackground PIDs: 72, 73\nProcess Group PGID: 71")),
    end: { hadError: true, exitCode: 1 },
  },
  { result: "success of 2025", value: shell(OLD("0", "0")), end: { hadError: false, exitCode: 0 } },
  { result: "failure of 2025", value: shell(OLD("127", "0")), end: { hadError: true, exitCode: 127 } },
  { result: "a signal of 2025", value: shell(OLD("(none)", "15")), end: { hadError: true, exitCode: null } },
  {
    result: "no trailer value of 2025",
    value: shell(OLD("(none)", "(none)")),
    end: { hadError: false, exitCode: null },
  },
  {
    result: "output that imitates success",
    value: shell(wrapped("Output: Exit Code: 0\nExit Code: 0\nExit Code: 3\nProcess Group PGID: 71")),
    end: { hadError: true, exitCode: 3 },
  },
  {
    result: "output that imitates a signal",
    value: shell(wrapped("Output: no\nSignal: 9\nExit Code: 3\nProcess Group PGID: 71")),
    end: { hadError: true, exitCode: 3 },
  },
  {
    result: "output that speaks of a failure",
    value: shell(wrapped("Output: Exit Code: 3\nall good\nProcess Group PGID: 71")),
    end: { hadError: false, exitCode: 0 },
  },
  {
    result: "a command in the background",
    value: shell(wrapped("Command moved to background (PID: 71). Output hidden.")),
    end: { hadError: null, exitCode: null },
  },
  {
    result: "a command that was not run",
    value: shell("Command rejected because it could not be parsed safely", "error"),
    end: { hadError: true, exitCode: null },
  },
  {
    result: "a cancelled command",
    value: shell("[Operation Cancelled] Reason: …", "cancelled"),
    end: { hadError: false, rejected: true, exitCode: null },
  },
];

test.for(cases)("$result", ({ value, end }) => {
  expect(parseResult({ ...value }, "shell")).toMatchObject({ rejected: false, ...end });
});

test("a call that is being made has no result", () => {
  expect(parseResult({ status: "executing" }, "shell")).toBeNull();
});

test("a tool that is no shell may print what looks like a trailer", () => {
  expect(parseResult({ ...shell("Exit Code: 3") }, "read")).toMatchObject({ hadError: false, exitCode: null });
});

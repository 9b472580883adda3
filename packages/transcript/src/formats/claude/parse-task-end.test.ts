import { expect, test } from "vitest";
import { parseTaskEnds } from "./calls.ts";

const notification = (status: string, summary: string, call = "<tool-use-id>toolu_1</tool-use-id>\n"): string =>
  `<task-notification>\n<task-id>b1</task-id>\n${call}<status>${status}</status>\n<summary>${summary}</summary>\n</task-notification>`;

const user = (content: string): object => ({ type: "user", message: { role: "user", content } });

const both = (end: object): readonly object[] => ["toolu_1", "b1"].map((of) => ({ of, ...end }));

const cases = [
  {
    line: "success",
    value: user(notification("completed", 'Background command "Run it" completed (exit code 0)')),
    ends: both({ hadError: false, exitCode: 0 }),
  },
  {
    line: "failure",
    value: user(notification("failed", 'Background command "Run it" failed with exit code 4')),
    ends: both({ hadError: true, exitCode: 4 }),
  },
  {
    line: "failure in 2.0, which does not name the call",
    value: user(notification("failed", 'Background command "Run it" failed with exit code 3.', "")),
    ends: [{ of: "b1", hadError: true, exitCode: 3 }],
  },
  {
    line: "a description that imitates an exit code",
    value: user(notification("completed", 'Background command "See a < b (exit code 5)" completed (exit code 0)')),
    ends: both({ hadError: false, exitCode: 0 }),
  },
  {
    line: "an agent that is done",
    value: user(notification("completed", 'Agent "Look" finished')),
    ends: both({ hadError: false, exitCode: null }),
  },
  { line: "a task that was stopped", value: user(notification("killed", "Stopped")), ends: [] },
  { line: "a task that still runs", value: user(notification("running", "Running")), ends: [] },
  {
    line: "a queued attachment",
    value: {
      type: "attachment",
      attachment: { type: "queued_command", prompt: notification("failed", "failed with exit code 1") },
    },
    ends: both({ hadError: true, exitCode: 1 }),
  },
  {
    line: "a queue operation",
    value: {
      type: "queue-operation",
      operation: "enqueue",
      content: notification("failed", "failed with exit code 1"),
    },
    ends: both({ hadError: true, exitCode: 1 }),
  },
  {
    line: "a task's output",
    value: {
      type: "user",
      toolUseResult: { retrieval_status: "success", task: { task_id: "b1", status: "completed", exitCode: 2 } },
    },
    ends: [{ of: "b1", hadError: true, exitCode: 2 }],
  },
  {
    line: "a task's output with what it printed",
    value: {
      type: "user",
      toolUseResult: { task: { task_id: "b1", status: "completed", exitCode: 0, output: "3 passed in 0.1s" } },
    },
    ends: [{ of: "b1", hadError: false, exitCode: 0, output: "3 passed in 0.1s" }],
  },
  {
    line: "a shell's output in 2.0",
    value: {
      type: "user",
      toolUseResult: {
        shellId: "b1",
        command: "pytest",
        status: "failed",
        exitCode: 1,
        stdout: "1 failed in 0.1s",
        stderr: "",
      },
    },
    ends: [{ of: "b1", hadError: true, exitCode: 1, output: "1 failed in 0.1s\n" }],
  },
  {
    line: "exit codes of many digits",
    value: user(
      notification("failed", "failed with exit code 137") + notification("completed", "done (exit code 255)"),
    ),
    ends: [...both({ hadError: true, exitCode: 137 }), ...both({ hadError: true, exitCode: 255 })],
  },
  {
    line: "a failure without an exit code",
    value: user(notification("failed", "failed")),
    ends: both({ hadError: true, exitCode: null }),
  },
  {
    line: "the output of a task that still runs",
    value: { type: "user", toolUseResult: { task: { task_id: "b1", status: "running" } } },
    ends: [],
  },
  {
    line: "the output of a task without a name",
    value: { type: "user", toolUseResult: { task: { status: "completed" } } },
    ends: [],
  },
  { line: "a notification without an end", value: user("<task-notification><status>completed</status>"), ends: [] },
  { line: "a prompt", value: user("Do the work"), ends: [] },
];

test.for(cases)("$line", ({ value, ends }) => {
  expect(parseTaskEnds({ ...value })).toEqual(ends);
});

import { expect, test } from "vitest";
import { parseItem } from "./parse-item.ts";

const completed = (item: object): object => ({
  type: "item_completed",
  turn_id: "turn",
  item: { id: "exec-1", ...item },
});

const command = (fields: object): object =>
  completed({
    type: "CommandExecution",
    command: ["/bin/bash", "-lc", "npm test"],
    cwd: "file:///home/dev/my%20app",
    ...fields,
  });

const cases = [
  {
    item: "a command that worked",
    event: command({ status: "completed", exit_code: 0, aggregated_output: "ok" }),
    parsed: {
      turnId: "turn",
      draft: { id: "exec-1", kind: "shell", command: "npm test", cwd: "/home/dev/my app", files: [] },
      outcome: { hadError: false, rejected: false, exitCode: 0, snippet: "ok" },
    },
  },
  {
    item: "a command that failed",
    event: command({ status: "failed", exit_code: 3 }),
    parsed: { outcome: { hadError: true, exitCode: 3 } },
  },
  {
    item: "a command that was declined",
    event: command({ status: "declined" }),
    parsed: { outcome: { hadError: true, rejected: true, exitCode: null } },
  },
  { item: "a command that runs", event: command({ status: "in_progress" }), parsed: { outcome: { hadError: null } } },
  {
    item: "a command with a folder that is no address",
    event: command({ cwd: "file:///%zz" }),
    parsed: { draft: { cwd: "file:///%zz" } },
  },
  {
    item: "files that were added",
    event: completed({ type: "FileChange", status: "completed", changes: { "/p/a.ts": { type: "add", content: "" } } }),
    parsed: { draft: { kind: "write", files: ["/p/a.ts"] }, outcome: { hadError: false } },
  },
  {
    item: "a file that was moved",
    event: completed({
      type: "FileChange",
      status: "failed",
      stderr: "no",
      changes: { "/p/a.ts": { type: "update", move_path: "/p/b.ts" } },
    }),
    parsed: { draft: { kind: "edit", files: ["/p/a.ts", "/p/b.ts"] }, outcome: { hadError: true, snippet: "no" } },
  },
];

test.for(cases)("$item", ({ event, parsed }) => {
  expect(parseItem({ ...event })).toMatchObject(parsed);
});

test.for([
  { item: "a command of the user's", event: command({ source: "user_shell", status: "completed" }) },
  { item: "a message", event: completed({ type: "AgentMessage" }) },
  { item: "an item without an id", event: { type: "item_completed", item: { type: "FileChange" } } },
  { item: "another event", event: { type: "token_count" } },
])("$item is none", ({ event }) => {
  expect(parseItem({ ...event })).toBeNull();
});

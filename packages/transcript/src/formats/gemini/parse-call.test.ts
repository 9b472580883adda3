import { expect, test } from "vitest";
import { parseCall } from "./calls.ts";

const AT = "2026-11-16T02:00:00.000Z";

const parse = (toolCall: object) =>
  parseCall({ id: "1", ...toolCall }, { message: { timestamp: "2026-11-16T01:00:00.000Z" }, offset: 7, by: "main" });

const cases = [
  {
    call: "a command",
    toolCall: { name: "run_shell_command", args: { command: "npm test", dir_path: "web" } },
    meaning: { kind: "shell", command: "npm test", cwd: "web", files: [] },
  },
  {
    call: "a command of 2025",
    toolCall: { name: "run_shell_command", args: { command: "npm test", directory: "web" } },
    meaning: { kind: "shell", command: "npm test", cwd: "web", files: [] },
  },
  {
    call: "a read",
    toolCall: { name: "read_file", args: { file_path: "a.ts" } },
    meaning: { kind: "read", command: null, cwd: null, files: ["a.ts"] },
  },
  {
    call: "a read of 2025",
    toolCall: { name: "read_file", args: { absolute_path: "/p/a.ts" } },
    meaning: { kind: "read", files: ["/p/a.ts"] },
  },
  {
    call: "a read of many",
    toolCall: { name: "read_many_files", args: { paths: ["a.ts", "b.ts"] } },
    meaning: { kind: "read", files: ["a.ts", "b.ts"] },
  },
  {
    call: "a read of what is included",
    toolCall: { name: "read_many_files", args: { include: ["a.ts"] } },
    meaning: { kind: "read", files: ["a.ts"] },
  },
  {
    call: "an edit",
    toolCall: { name: "replace", args: { file_path: "a.ts" } },
    meaning: { kind: "edit", files: ["a.ts"] },
  },
  {
    call: "a write that tells its file only when shown",
    toolCall: { name: "write_file", resultDisplay: { filePath: "a.ts" } },
    meaning: { kind: "write", files: ["a.ts"] },
  },
  {
    call: "a write whose file is in its arguments too",
    toolCall: { name: "write_file", args: { file_path: "a.ts" }, resultDisplay: { filePath: "b.ts" } },
    meaning: { kind: "write", files: ["a.ts"] },
  },
  { call: "a write of nobody knows what", toolCall: { name: "write_file" }, meaning: { kind: "write", files: [] } },
  { call: "a glob", toolCall: { name: "glob", args: { path: "src" } }, meaning: { kind: "search", files: ["src"] } },
  {
    call: "a search",
    toolCall: { name: "grep_search", args: { dir_path: "src" } },
    meaning: { kind: "search", files: ["src"] },
  },
  { call: "a search of 2025", toolCall: { name: "search_file_content" }, meaning: { kind: "search" } },
  {
    call: "a list",
    toolCall: { name: "list_directory", args: { path: "src" } },
    meaning: { kind: "search", files: ["src"] },
  },
  { call: "an agent", toolCall: { name: "codebase_investigator" }, meaning: { kind: "agent" } },
  { call: "an agent that is called", toolCall: { name: "delegate_to_agent" }, meaning: { kind: "agent" } },
  { call: "an agent that is invoked", toolCall: { name: "invoke_agent" }, meaning: { kind: "agent" } },
  {
    call: "an agent by any name",
    toolCall: { name: "run_shell_command", agentId: "x", args: { command: "ls" } },
    meaning: { kind: "agent", command: null, cwd: null },
  },
  {
    call: "a tool of somebody else",
    toolCall: {
      name: "mine",
      args: { path: "a.ts", command: "ls", directory: "x" },
      resultDisplay: { filePath: "b.ts" },
    },
    meaning: { kind: "other", command: null, cwd: null, files: [] },
  },
  {
    call: "a call starts with its message, and its own time is that of the batch's end",
    toolCall: { name: "glob", timestamp: AT },
    meaning: { timestamp: new Date("2026-11-16T01:00:00Z") },
  },
  {
    call: "a call without one",
    toolCall: { name: "glob" },
    meaning: {
      id: "1",
      toolName: "glob",
      inputData: {},
      timestamp: new Date("2026-11-16T01:00:00Z"),
      offset: 7,
      by: "main",
    },
  },
];
test.for(cases)("$call", ({ toolCall, meaning }) => {
  expect(parse(toolCall)).toMatchObject(meaning);
});

test.for([{ name: 3 }, { name: "glob", id: null }])("%o is no call", (toolCall) => {
  expect(parse(toolCall)).toBeNull();
});

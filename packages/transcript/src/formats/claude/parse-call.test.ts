import { expect, test } from "vitest";
import { parseCall } from "./calls.ts";

const line = { cwd: "/p", timestamp: "2026-11-16T02:00:00.000Z" };

const parse = (block: object) =>
  parseCall({ type: "tool_use", id: "1", ...block }, { line, offset: 7, by: "subagent" });

const cases = [
  {
    block: { name: "Bash", input: { command: "ls", file_path: "a" } },
    call: { kind: "shell", command: "ls", files: [] },
  },
  {
    block: { name: "Read", input: { file_path: "a.ts", command: "ls" } },
    call: { kind: "read", command: null, files: ["a.ts"] },
  },
  { block: { name: "Edit", input: { file_path: "a.ts" } }, call: { kind: "edit", files: ["a.ts"] } },
  { block: { name: "Write", input: { file_path: "a.ts" } }, call: { kind: "write", files: ["a.ts"] } },
  { block: { name: "Grep", input: { path: "src" } }, call: { kind: "search", files: ["src"] } },
  { block: { name: "Mine", input: { path: "src" } }, call: { kind: "other", command: null, files: [] } },
  { block: { name: "Read" }, call: { kind: "read", inputData: {}, files: [] } },
];
test.for(cases)("$block.name", ({ block, call }) => {
  expect(parse(block)).toMatchObject({
    id: "1",
    toolName: block.name,
    cwd: "/p",
    timestamp: new Date(line.timestamp),
    by: "subagent",
    offset: 7,
    ...call,
  });
});

test.for([{ type: "text", name: "Bash" }, { name: "Bash", id: null }, { name: null }])("%o is no call", (block) => {
  expect(parse(block)).toBeNull();
});

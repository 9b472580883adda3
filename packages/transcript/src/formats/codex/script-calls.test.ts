import { expect, test } from "vitest";
import type { Call } from "../../turn/call.ts";
import { scriptCalls, withScriptPatches } from "./script-calls.ts";

const call = (id: string, offset: number, input: string, toolName = "exec"): Call => ({
  id,
  toolName,
  kind: "other",
  inputData: { input },
  command: null,
  cwd: null,
  files: [],
  timestamp: null,
  by: "main",
  offset,
});

const first = call("first", 10, 'await tools.exec_command({ cmd: "one" }); await tools.exec_command({ cmd: "two" });');
const second = call("second", 30, "await tools.apply_patch(patch);");
const calls = new Map([second, first].map((script) => [script.id, script]));

test("a script's commands are calls of their own, the last first", () => {
  expect(scriptCalls(first)).toMatchObject([
    { id: "first#1", toolName: "exec_command", kind: "shell", command: "two" },
    { id: "first#0", toolName: "exec_command", kind: "shell", command: "one" },
  ]);
});

test("another tool's text is no script", () => {
  expect(scriptCalls(call("x", 10, 'exec_command({ cmd: "one" })', "note"))).toEqual([]);
});

const patches = [
  { callId: "nested-2", offset: 40, files: ["b.ts"] },
  { callId: "nested-1", offset: 20, files: ["a.ts"] },
];

test("a patch belongs to the script before it", () => {
  expect(withScriptPatches(first, { calls, patches })).toMatchObject({ kind: "edit", files: ["a.ts"] });
  expect(withScriptPatches(second, { calls, patches })).toMatchObject({ kind: "edit", files: ["b.ts"] });
});

test("a patch that has a call of its own belongs to no script", () => {
  const own = [{ callId: "second", offset: 40, files: ["b.ts"] }];
  expect(withScriptPatches(second, { calls, patches: own })).toBe(second);
});

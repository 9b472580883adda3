import { expect, test } from "vitest";
import type { Call, Outcome } from "../../turn/calls.ts";
import { scriptCalls, scriptOutcomes, withScriptPatches } from "./script-calls.ts";

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

const outcome = (exitCode: number | null): Outcome => ({
  hadError: false,
  rejected: false,
  exitCode,
  snippet: "",
  reports: [],
});

test("what a script printed is its last command's, at once or where a later wait saw its end", () => {
  const wait: Call = { ...call("wait", 20, "", "wait"), inputData: { cell_id: "9" } };
  const ran = new Map([first, wait].map((one) => [one.id, one]));
  const none = new Map<string, string>();
  expect([...scriptOutcomes({ calls: ran, outcomes: new Map([["first", outcome(1)]]), runningCells: none })]).toEqual([
    ["first#1", { ...outcome(1), hadError: true }],
  ]);
  expect([
    ...scriptOutcomes({ calls: ran, outcomes: new Map([["first", outcome(null)]]), runningCells: none }),
  ]).toEqual([["first#1", { ...outcome(null), hadError: null }]]);
  const outcomes = new Map([
    ["first", outcome(null)],
    ["wait", outcome(0)],
  ]);
  expect([...scriptOutcomes({ calls: ran, outcomes, runningCells: new Map([["9", "first"]]) })]).toEqual([
    ["first#1", { ...outcome(0), hadError: false }],
  ]);
});

import { expect, test } from "vitest";
import { addCall, addOutcome, type Call, callsIn, newCollection, type Outcome } from "./calls.ts";

const call = (id: string, offset: number, command: string = id): Call => ({
  id,
  toolName: "Bash",
  kind: "shell",
  inputData: {},
  command,
  cwd: null,
  files: [],
  timestamp: null,
  by: "main",
  offset,
});

const outcome = (snippet: string): Outcome => ({ hadError: false, rejected: false, exitCode: 0, snippet, reports: [] });

const ALL = { from: 0, to: 100 };

test("gives the calls in the order of the file, those of one line in the order they were added last to first", () => {
  const into = newCollection();
  for (const added of [call("d", 30), call("c", 20), call("b", 20), call("a", 10)]) addCall(into, added);
  expect(callsIn(into, ALL).map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
  expect(callsIn(into, { from: 20, to: 30 }).map(({ id }) => id)).toEqual(["b", "c"]);
});

test("a call written twice counts where it was written first, whichever is met first", () => {
  const into = newCollection();
  for (const added of [call("b", 20), call("a", 10, "first"), call("a", 40, "again")]) addCall(into, added);
  expect(callsIn(into, ALL).map(({ command }) => command)).toEqual(["first", "b"]);
});

test("the outcome that was written last counts", () => {
  const into = newCollection();
  addOutcome(into, "a", outcome("last"));
  addOutcome(into, "a", outcome("first"));
  expect(into.outcomes.get("a")?.snippet).toBe("last");
});

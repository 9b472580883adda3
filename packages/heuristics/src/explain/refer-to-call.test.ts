import type { ToolCallRecord } from "@agent-checkpoint/transcript";
import { expect, test } from "vitest";
import { edit, PROJECT, read, shell, turnOf, write } from "../test-calls.ts";
import { readTurn } from "../turn/read-turn.ts";
import { referToCall } from "./explain-turn.ts";

const refer = (...calls: ToolCallRecord[]) =>
  readTurn(turnOf(...calls), { projectPath: PROJECT }).calls.map((call) => referToCall(call));

const cases: { call: ToolCallRecord; what: string }[] = [
  { call: shell("  make restart\n"), what: "make restart" },
  { call: shell("sed -i s/a/b/ x.py"), what: "sed -i … x.py" },
  { call: { ...shell(""), command: null }, what: "Bash" },
  { call: edit(`${PROJECT}/src/a.py`), what: "Edit src/a.py" },
  { call: write("./src/a.py"), what: "Write src/a.py" },
  { call: read("a.py", { cwd: `${PROJECT}/src` }), what: "Read src/a.py" },
  { call: edit("/etc/hosts"), what: "Edit /etc/hosts" },
  { call: { ...read("a.py"), kind: "other", files: [], toolName: "WebSearch" }, what: "WebSearch" },
];
test.for(cases)("$what", ({ call, what }) => {
  expect(refer(call).map((reference) => reference.what)).toEqual([what]);
});

test("a call has its place in the turn, its own id, its time and who made it", () => {
  const at = new Date(Date.UTC(2026, 0, 1, 12));
  const calls = [read("a.py", { id: "one" }), shell("ls", { id: "two", timestamp: at, by: "subagent" })];
  expect(refer(...calls)).toEqual([
    { number: 1, id: "one", what: "Read a.py", at: null, by: "main" },
    { number: 2, id: "two", what: "ls", at, by: "subagent" },
  ]);
});

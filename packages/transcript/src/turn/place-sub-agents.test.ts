import { expect, test } from "vitest";
import type { ToolCallRecord } from "../types.ts";
import { type Part, placeSubAgents, type SubAgent } from "./calls.ts";

const call = (id: string, second: number): ToolCallRecord => ({
  id,
  toolName: "Bash",
  kind: "shell",
  inputData: {},
  command: null,
  cwd: null,
  files: [],
  hadError: null,
  hasResult: false,
  rejected: false,
  exitCode: null,
  resultSnippet: "",
  reports: [],
  timestamp: new Date(second * 1000),
  endedAt: null,
  by: "main",
});

const part = (records: readonly ToolCallRecord[], starters: Readonly<Record<string, string>> = {}): Part => ({
  records,
  starters: new Map(Object.entries(starters)),
});

const agent = (key: string, ...of: Parameters<typeof part>): SubAgent => ({ key, part: part(...of) });

const main = [call("one", 1), call("two", 2), call("three", 9)];

const cases = [
  { when: "there is none", subAgents: [], order: ["one", "two", "three"] },
  {
    when: "one was started by the first call",
    subAgents: [agent("a", [call("a1", 3), call("a2", 4)])],
    starters: { a: "one" },
    order: ["one", "a1", "a2", "two", "three"],
  },
  {
    when: "two run side by side",
    subAgents: [agent("b", [call("b1", 4)]), agent("a", [call("a1", 3), call("a2", 5)])],
    starters: { a: "one", b: "two" },
    order: ["one", "a1", "a2", "two", "b1", "three"],
  },
  {
    when: "two were started by one call",
    subAgents: [agent("b", [call("b1", 4)]), agent("a", [call("a1", 3)])],
    starters: { a: "one", b: "one" },
    order: ["one", "a1", "b1", "two", "three"],
  },
  {
    when: "one started another",
    subAgents: [agent("a", [call("a1", 3), call("a2", 6)], { b: "a1" }), agent("b", [call("b1", 4)])],
    starters: { a: "one" },
    order: ["one", "a1", "b1", "a2", "two", "three"],
  },
  {
    when: "one runs since an earlier turn",
    subAgents: [agent("a", [call("a1", 3)])],
    order: ["one", "two", "a1", "three"],
  },
  {
    when: "one ran before the first call",
    subAgents: [agent("a", [call("a1", 0)])],
    order: ["a1", "one", "two", "three"],
  },
  {
    when: "its start is named but not in sight",
    subAgents: [agent("a", [call("a1", 3)])],
    starters: { a: "gone" },
    order: ["one", "two", "a1", "three"],
  },
];

test.for(cases)("when $when", ({ subAgents, starters, order }) => {
  expect(placeSubAgents(part(main, starters), subAgents).map(({ id }) => id)).toEqual(order);
});

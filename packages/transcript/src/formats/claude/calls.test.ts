import { expect, test } from "vitest";
import { summarise } from "../../testing/summarise.ts";
import { newCollector } from "./calls.ts";

const said = (type: string, ...content: object[]) => ({ type, message: { content } });
const use = (id: string, command: string) => ({ type: "tool_use", id, name: "Bash", input: { command } });
const result = (id: string, content = "x") => ({ type: "tool_result", tool_use_id: id, content });
const ended = (task: string, status: string, code: number) =>
  said("user", {
    type: "text",
    text: `<task-notification><task-id>${task}</task-id><status>${status}</status><summary>with exit code ${code}</summary></task-notification>`,
  });

const BACKGROUND = "Command running in background with ID: b1";

const cases: { transcript: string; path?: string; lines: object[]; calls: string[] }[] = [
  {
    transcript: "a call and its result",
    lines: [said("assistant", use("1", "ls")), said("user", result("1"))],
    calls: ["shell ls: ok"],
  },
  {
    transcript: "calls of one answer",
    lines: [said("assistant", use("1", "a"), use("2", "b")), said("user", result("2"), result("1"))],
    calls: ["shell a: ok", "shell b: ok"],
  },
  {
    transcript: "a call that the user shows",
    lines: [said("user", use("1", "ls")), said("user", result("1"))],
    calls: [],
  },
  {
    transcript: "a result that the agent shows",
    lines: [said("assistant", use("1", "ls")), said("assistant", result("1"))],
    calls: ["shell ls: no result"],
  },
  {
    transcript: "a command in the background",
    lines: [said("assistant", use("1", "make")), said("user", result("1", BACKGROUND))],
    calls: ["shell make: unknown"],
  },
  {
    transcript: "a command in the background that failed",
    lines: [said("assistant", use("1", "make")), said("user", result("1", BACKGROUND)), ended("b1", "failed", 4)],
    calls: ["shell make: failed 4"],
  },
  {
    transcript: "the last that is told of its end",
    lines: [
      said("assistant", use("1", "make")),
      said("user", result("1", BACKGROUND)),
      ended("b1", "failed", 4),
      ended("b1", "completed", 0),
    ],
    calls: ["shell make: ok 0"],
  },
  {
    transcript: "the end of another task",
    lines: [said("assistant", use("1", "make")), said("user", result("1", BACKGROUND)), ended("b2", "failed", 4)],
    calls: ["shell make: unknown"],
  },
  {
    transcript: "a sub-agent in the main file",
    lines: [{ ...said("assistant", use("1", "ls")), isSidechain: true }],
    calls: ["> shell ls: no result"],
  },
  {
    transcript: "a sub-agent in a file of its own",
    path: "agent-1.jsonl",
    lines: [{ ...said("assistant", use("1", "ls")), isSidechain: true }],
    calls: ["shell ls: no result"],
  },
];

const collect = (lines: readonly object[], path = "main.jsonl") => {
  const collector = newCollector({ path: `/x/${path}`, file: { fd: 0, size: 0 } }, "main");
  for (const [index, value] of [...lines.entries()].toReversed())
    collector.take({ offset: index * 10, value: { ...value } });
  return collector.part({ from: 0, to: Infinity });
};

test.for(cases)("$transcript", ({ path, lines, calls }) => {
  expect(collect(lines, path).records.map((record) => summarise(record))).toEqual(calls);
});

test("the call that started a sub-agent is told by its result", () => {
  const lines = [
    { ...said("user", result("1")), toolUseResult: { agentId: "a1" } },
    { ...said("user", result("2")), toolUseResult: {} },
  ];
  expect([...collect(lines).starters]).toEqual([["a1", "1"]]);
});

test("what a task printed in the background is its call's output", () => {
  const lines = [
    said("assistant", use("1", "pnpm test 2>&1 | tail -20")),
    said("user", result("1", BACKGROUND)),
    said("assistant", { type: "tool_use", id: "2", name: "TaskOutput", input: { task_id: "b1" } }),
    {
      ...said("user", result("2", "      Tests  30 passed (30)")),
      toolUseResult: {
        task: { task_id: "b1", status: "completed", exitCode: 0, output: "      Tests  30 passed (30)" },
      },
    },
  ];
  expect(collect(lines).records).toMatchObject([
    { hadError: false, exitCode: 0, reports: [{ runner: "vitest", passed: 30, outcome: "green" }] },
    // The look at it is no run of its own: the files may have changed since the run began.
    { toolName: "TaskOutput", hadError: false, reports: [] },
  ]);
  const told = [...lines, ended("b1", "completed", 0)];
  expect(collect(told).records).toMatchObject([{ reports: [{ passed: 30 }] }, { reports: [] }]);
  expect(collect(lines.slice(2)).records).toMatchObject([{ toolName: "TaskOutput", reports: [{ passed: 30 }] }]);
});

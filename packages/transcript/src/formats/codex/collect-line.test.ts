import { expect, test } from "vitest";
import { summarise } from "../../testing/summarise.ts";
import { newCollector } from "./calls.ts";

const item = (payload: object) => ({ type: "response_item", payload });
const event = (payload: object) => ({ type: "event_msg", payload });

const call = (id: string, name: string, args: object) =>
  item({ type: "function_call", name, arguments: JSON.stringify(args), call_id: id });
const result = (id: string, output: string) => item({ type: "function_call_output", call_id: id, output });
const script = (id: string) => item({ type: "custom_tool_call", name: "exec", input: "run()", call_id: id });
const patched = (id: string, ...files: string[]) =>
  event({
    type: "patch_apply_end",
    call_id: id,
    success: true,
    changes: Object.fromEntries(files.map((file) => [file, { type: "update" }])),
  });
const completed = (turn: string, told: object) => event({ type: "item_completed", turn_id: turn, item: told });
const command = (id: string, line: string, exit: number) => ({
  type: "CommandExecution",
  id,
  command: ["bash", "-lc", line],
  status: exit === 0 ? "completed" : "failed",
  exit_code: exit,
});
const activity = (thread: string, id: string, kind: string) =>
  completed("t", { type: "SubAgentActivity", id, kind, agent_thread_id: thread });

const RUNNING = "Chunk ID: 1\nWall time: 1 s\nProcess running with session ID 7";
const ENDED = "Chunk ID: 2\nWall time: 1 s\nProcess exited with code 3";

/** What lines come to, read from the last to the first, each ten bytes long. */
const collect = (lines: readonly object[]) => {
  const collector = newCollector({ path: "rollout.jsonl", file: { fd: 0, size: 0 } }, "main");
  for (const [index, value] of [...lines.entries()].toReversed())
    collector.take({ offset: index * 10, value: { ...value } });
  return collector.part({ from: 0, to: Infinity });
};

const cases: { rollout: string; lines: object[]; calls: string[] }[] = [
  {
    rollout: "a patch of a script",
    lines: [script("a"), patched("nested", "x.ts", "y.ts"), script("b")],
    calls: ["edit x.ts y.ts: no result", "other exec: no result"],
  },
  {
    rollout: "a patch that did not go through",
    lines: [script("a"), event({ type: "patch_apply_end", call_id: "n", success: false, changes: { "x.ts": {} } })],
    calls: ["other exec: no result"],
  },
  {
    rollout: "another event with the same fields",
    lines: [script("a"), event({ type: "patch_apply_begin", call_id: "n", success: true, changes: { "x.ts": {} } })],
    calls: ["other exec: no result"],
  },
  {
    rollout: "a patch without changes",
    lines: [script("a"), event({ type: "patch_apply_end", success: true })],
    calls: ["edit exec: no result"],
  },
  {
    rollout: "a patch that has a call of its own",
    lines: [script("a"), patched("a", "x.ts")],
    calls: ["other exec: no result"],
  },
  {
    rollout: "a command that is watched",
    lines: [
      call("a", "exec_command", { cmd: "make" }),
      result("a", RUNNING),
      call("b", "write_stdin", { session_id: 7 }),
      result("b", ENDED),
    ],
    calls: ["shell make: unknown", "shell make: failed 3"],
  },
  {
    rollout: "one of which nothing is known",
    lines: [call("b", "write_stdin", { session_id: 7 }), result("b", ENDED)],
    calls: ["other write_stdin: failed"],
  },
  {
    rollout: "another tool with a session",
    lines: [
      call("a", "exec_command", { cmd: "make" }),
      result("a", RUNNING),
      call("b", "other", { session_id: 7 }),
      result("b", "x"),
    ],
    calls: ["shell make: unknown", "other other: ok"],
  },
  {
    rollout: "a command that an event tells the end of",
    lines: [call("a", "exec_command", { cmd: "make" }), result("a", RUNNING), completed("t", command("a", "make", 2))],
    calls: ["shell make: failed 2"],
  },
  {
    rollout: "a command whose end its result tells",
    lines: [call("a", "exec_command", { cmd: "make" }), result("a", ENDED), completed("t", command("a", "make", 2))],
    calls: ["shell make: failed 3"],
  },
  {
    rollout: "a command of a script",
    lines: [script("a"), completed("t", command("n", "make", 0))],
    calls: ["other exec: no result", "shell make: ok 0"],
  },
  {
    rollout: "what ends after its turn",
    lines: [
      completed("one", command("m", "make one", 0)),
      event({ type: "task_complete", turn_id: "one" }),
      completed("one", command("n", "make late", 0)),
      completed("two", command("o", "make two", 0)),
    ],
    calls: ["shell make one: ok 0", "shell make two: ok 0"],
  },
];
test.for(cases)("$rollout", ({ lines, calls }) => {
  expect(collect(lines).records.map((record) => summarise(record))).toEqual(calls);
});

test("what a script shows of a run is its last command's report", () => {
  const input = 'const r = await tools.exec_command({cmd:"cargo fmt --all && cargo test lock"});text(r.output)';
  const output = [
    { type: "input_text", text: "Script completed\nWall time 0.2 seconds\nOutput:\n" },
    { type: "input_text", text: "test result: ok. 50 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out" },
  ];
  const lines = [
    item({ type: "custom_tool_call", name: "exec", input, call_id: "a" }),
    item({ type: "custom_tool_call_output", call_id: "a", output }),
  ];
  expect(collect(lines).records.find(({ kind }) => kind === "shell")).toMatchObject({
    command: "cargo fmt --all && cargo test lock",
    hadError: null,
    reports: [{ runner: "cargo", passed: 50, outcome: "green" }],
  });
});

test("a call without an id is known by its place", () => {
  const lines = [item({ type: "reasoning" }), item({ type: "web_search_call", status: "completed" })];
  expect(collect(lines).records.map(({ id }) => id)).toEqual(["web_search_call@10"]);
});

const starts: { told: string; lines: object[]; starters: Record<string, string> }[] = [
  { told: "by a result", lines: [result("a", '{"agent_id":"t1"}')], starters: { t1: "a" } },
  { told: "by no result", lines: [result("a", '{"agent":"t1"}'), result("b", "x")], starters: {} },
  { told: "by its start", lines: [activity("t1", "a", "started"), activity("t1", "b", "done")], starters: { t1: "a" } },
  { told: "by what it did", lines: [activity("t1", "b", "done")], starters: { t1: "b" } },
  {
    told: "by its start, although it comes later",
    lines: [activity("t1", "b", "done"), activity("t1", "a", "started")],
    starters: { t1: "a" },
  },
  {
    told: "by the last it did",
    lines: [activity("t1", "a", "done"), activity("t1", "b", "done")],
    starters: { t1: "b" },
  },
];
test.for(starts)("the call that started a sub-agent, told $told", ({ lines, starters }) => {
  expect(Object.fromEntries(collect(lines).starters)).toEqual(starters);
});

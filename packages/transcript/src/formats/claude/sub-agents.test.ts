import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { extractToolCallsCurrentTurnSync } from "../../extract-tool-calls-current-turn.ts";
import { type TestFolder, copyRecordings } from "../../testing/copy-recordings.ts";
import { summarise } from "../../testing/summarise.ts";
import { readSubAgents } from "./read-turn.ts";

let folder: TestFolder;
beforeEach(() => {
  folder = copyRecordings("claude");
});
afterEach(() => folder.remove());

const AGENT = "sub-agent/subagents/agent-29447fab000000001.jsonl";

const linesOf = (path: string): readonly string[] =>
  readFileSync(join(folder.path, path), "utf8").trimEnd().split("\n");

const callsOf = (recording: string): readonly string[] =>
  extractToolCallsCurrentTurnSync(join(folder.path, recording), "claude").toolCalls.map((call) => summarise(call));

test("a sub-agent that still runs stands after its call, which only the note beside its file names", () => {
  const lines = linesOf("sub-agent.jsonl");
  const start = lines.findIndex((line) => line.includes('"name":"Agent"'));
  const other = lines[start]?.replace("toolu_000000000000000000000100", "toolu_other") ?? "";
  writeFileSync(join(folder.path, "sub-agent.jsonl"), [...lines.slice(0, start + 1), other].join("\n"));
  expect(callsOf("sub-agent.jsonl")).toEqual([
    "agent Agent: no result",
    "> shell sh check.sh: failed 3",
    "> read /home/dev/project/src/greet.py: ok",
    "> edit /home/dev/project/src/greet.py: ok",
    "> shell sh check.sh: ok 0",
    "agent Agent: no result",
  ]);
});

test("a workflow's sub-agents stand in folders of their own", () => {
  const place = join(folder.path, "parallel-calls/subagents/workflows/wf_1/agent-a1.jsonl");
  mkdirSync(dirname(place), { recursive: true });
  const moments = linesOf("parallel-calls.jsonl").map((line) => /"timestamp":"([^"]+)"/.exec(line)?.[1] ?? "");
  const work = linesOf(AGENT).map((line) =>
    line.replace(/"timestamp":"[^"]+"/, `"timestamp":"${moments.toSorted().at(-1)}"`),
  );
  writeFileSync(place, work.join("\n"));
  expect(callsOf("parallel-calls.jsonl").filter((call) => call.startsWith(">"))).toHaveLength(4);
});

test("a sub-agent's name cannot lead elsewhere", () => {
  const read = (...agents: string[]) =>
    readSubAgents(
      { path: join(folder.path, "main.jsonl"), file: { fd: 0, size: 0 } },
      { since: new Date(0), until: null },
      new Map(agents.map((agent) => [agent, "toolu_1"])),
    ).map(({ key, part }) => `${key}: ${part.records.length}`);
  mkdirSync(join(folder.path, "agent-x"));
  copyFileSync(join(folder.path, AGENT), join(folder.path, "agent-inside.jsonl"));
  copyFileSync(join(folder.path, AGENT), join(folder.path, "outside.jsonl"));
  writeFileSync(join(folder.path, "agent-idle.jsonl"), "");
  expect(read("inside", "x/../outside", "../outside", "gone", "idle")).toEqual(["inside: 4"]);
});

test("a sub-agent of an earlier turn is not part of this one", () => {
  const recording = "continued-session";
  const place = join(folder.path, recording, "subagents/agent-29447fab000000001.jsonl");
  mkdirSync(dirname(place), { recursive: true });
  copyFileSync(join(folder.path, AGENT), place);
  const early = readFileSync(place, "utf8").replaceAll(
    /"timestamp":"[^"]+"/g,
    '"timestamp":"2026-01-01T00:00:00.000Z"',
  );
  writeFileSync(place, early);
  expect(callsOf(`${recording}.jsonl`)).toEqual(["shell python3 src/greet.py: ok 0"]);
});

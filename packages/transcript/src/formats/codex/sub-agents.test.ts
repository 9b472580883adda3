import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestFolder, newFolder } from "../../testing/copy-recordings.ts";
import { readSubAgents } from "./sub-agents.ts";

let folder: TestFolder;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => folder.remove());

const line = (type: string, payload: object): string =>
  JSON.stringify({ timestamp: "2026-11-16T02:00:00Z", type, payload });

/** A rollout whose agent ran a command and started other threads. */
const write = (place: string, thread: string, ...starts: string[]): void => {
  const file = join(folder.path, place, `rollout-2026-11-16T03-14-00-${thread}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  const call = (name: string, args: object, call_id: string) =>
    line("response_item", { type: "function_call", name, arguments: JSON.stringify(args), call_id });
  const lines = [
    line("session_meta", { id: thread }),
    call("exec_command", { cmd: `ls ${thread}` }, `run-${thread}`),
    ...starts.flatMap((started) => [
      call("spawn_agent", { message: "Look" }, `start-${started}`),
      line("response_item", {
        type: "function_call_output",
        call_id: `start-${started}`,
        output: JSON.stringify({ agent_id: started }),
      }),
    ]),
  ];
  writeFileSync(file, lines.join("\n"));
};

const read = (place: string, ...threads: string[]) =>
  readSubAgents(
    { path: join(folder.path, place, "rollout-own.jsonl"), file: { fd: 0, size: 0 } },
    { since: new Date(0), until: null },
    new Map(threads.map((thread) => [thread, `start-${thread}`])),
  )
    .map(({ key, part }) => `${key}: ${part.records.flatMap(({ command }) => command ?? []).join()}`)
    .toSorted();

const DAY = "sessions/2026/11/16";

test("beside the session, on another day, or nowhere", () => {
  write(DAY, "beside");
  write("sessions/2026/11/17", "tomorrow");
  write("sessions/2025/01/02", "long-ago");
  expect(read(DAY, "beside", "tomorrow", "long-ago", "gone")).toEqual([
    "beside: ls beside",
    "long-ago: ls long-ago",
    "tomorrow: ls tomorrow",
  ]);
});

test.for([
  "sessions/2026/11",
  "sessions/2026/11/16/x",
  "sessions/20267/11/16",
  "sessions/2026/11/1",
  "sessions/2026/a1/16",
])("in %s, which is no folder of a day, only beside the session", (place) => {
  write(place, "beside");
  write(DAY, "elsewhere");
  expect(read(place, "beside", "elsewhere")).toEqual(["beside: ls beside"]);
});

test("with those that it started, each once", () => {
  write(DAY, "one", "two");
  write(DAY, "two", "one", "three");
  write("sessions/2026/11/17", "three");
  expect(read(DAY, "one")).toEqual(["one: ls one", "three: ls three", "two: ls two"]);
});

test("a thread's name cannot lead elsewhere", () => {
  write(DAY, "a/../b");
  expect(read(DAY, "a/../b", "../b", "b.jsonl/..", "")).toEqual([]);
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestFolder, newFolder } from "../../testing/copy-recordings.ts";
import { readThread } from "./sub-agents.ts";

let folder: TestFolder;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => folder.remove());

const PARENT_TURN = "019d7d08-f1d2-78a1-ae52-000000000001";
const THREAD = "019d7e2f-0041-7310-951c-000000000002";
const OWN_TURN = "019d7e2f-0100-7310-951c-000000000003";

const line = (second: number, type: string, payload: object): object => ({
  timestamp: new Date(second * 1000).toISOString(),
  type,
  payload,
});

const started = (second: number, turn_id: string): object =>
  line(second, "event_msg", { type: "task_started", turn_id });

const command = (second: number, cmd: string): object =>
  line(second, "response_item", {
    type: "function_call",
    name: "exec_command",
    arguments: JSON.stringify({ cmd }),
    call_id: `call_${cmd}`,
  });

/** The copied history is stamped with the time of the copying, like everything else. */
const forked = [
  line(10, "session_meta", { id: THREAD, source: { subagent: {} } }),
  line(10, "session_meta", { id: "019d7d08-f1d2-78a1-ae52-000000000000" }),
  started(10, PARENT_TURN),
  command(10, "parents"),
  started(11, OWN_TURN),
  command(12, "first"),
  command(15, "second"),
];

const numbered = forked.map((value, ordinal) => ({ ...value, ordinal }));
const withStart = numbered.with(0, {
  ...line(10, "session_meta", { id: THREAD, subagent_history_start_ordinal: 5 }),
  ordinal: 0,
});

const cases = [
  { rollout: "that was forked", lines: forked, since: 0, until: null, commands: ["first", "second"] },
  { rollout: "that was forked, later", lines: forked, since: 14, until: null, commands: ["second"] },
  { rollout: "that was forked, earlier", lines: forked, since: 0, until: 13, commands: ["first"] },
  { rollout: "that only has a copy yet", lines: forked.slice(0, 4), since: 0, until: null, commands: [] },
  {
    rollout: "that tells where its own history starts",
    lines: withStart,
    since: 0,
    until: null,
    commands: ["first", "second"],
  },
  {
    rollout: "that was not forked",
    lines: [forked[0], ...forked.slice(4)],
    since: 0,
    until: null,
    commands: ["first", "second"],
  },
  { rollout: "that is empty", lines: [], since: 0, until: null, commands: [] },
];

test.for(cases)("a rollout $rollout", ({ lines, since, until, commands }) => {
  const path = join(folder.path, "rollout.jsonl");
  writeFileSync(path, lines.map((value) => JSON.stringify(value)).join("\n"));
  const period = { since: new Date(since * 1000), until: until === null ? null : new Date(until * 1000) };
  expect(readThread(path, THREAD, period).records.map((record) => record.command)).toEqual(commands);
});

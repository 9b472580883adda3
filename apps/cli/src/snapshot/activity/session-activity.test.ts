import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentName } from "@agent-checkpoint/transcript";
import { expect, test } from "vitest";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { readSessionActivity } from "./session-activity.ts";

const FIXTURES = fileURLToPath(new URL("../../../../../packages/transcript/fixtures", import.meta.url));

const cases: readonly { agent: AgentName; recording: string; intervals: readonly string[] | null }[] = [
  { agent: "claude", recording: "file-changed-by-bash", intervals: ["02:51:02.868 to 02:51:03.192"] },
  {
    agent: "claude",
    recording: "continued-session",
    intervals: ["02:51:43.852 to 02:51:44.214", "02:51:45.001 to 02:51:45.325"],
  },
  { agent: "claude", recording: "interrupted", intervals: ["02:48:15.986 to 02:48:18.606"] },
  { agent: "claude", recording: "rejected-call", intervals: ["02:51:05.583 to 02:51:06.843"] },
  { agent: "claude", recording: "background-ends-in-the-turn", intervals: ["02:52:00.155 to 02:52:02.885"] },
  {
    agent: "claude",
    recording: "sub-agent-in-background",
    intervals: ["02:51:47.768 to 02:51:48.074", "02:51:48.792 to open"],
  },
  { agent: "codex", recording: "patches", intervals: ["03:11:22.473 to 03:11:22.828"] },
  { agent: "codex", recording: "command-never-waited-for", intervals: ["03:11:17.074 to open"] },
  { agent: "codex", recording: "shell-calls-0.20.0", intervals: null },
  { agent: "gemini", recording: "interrupted", intervals: ["02:55:55.589 to 02:55:57.589"] },
  { agent: "gemini", recording: "no-such-recording", intervals: null },
];
test.for(cases)("$agent: $recording", ({ agent, recording, intervals }) => {
  const read = readSessionActivity(join(FIXTURES, agent, `${recording}.jsonl`), agent);
  const say = (time: Date | null): string => time?.toISOString().slice(11, 23) ?? "open";
  expect(read && read.intervals.map(({ from, to }) => `${say(from)} to ${say(to)}`)).toEqual(intervals);
});

test("a file without a line is a session that has done nothing", () => {
  const path = join(scratchFolder(), "empty.jsonl");
  writeFileSync(path, "");
  expect(readSessionActivity(path, "claude")).toEqual({ first: null, last: null, intervals: [] });
});

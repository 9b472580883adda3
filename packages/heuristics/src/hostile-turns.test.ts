import { PRESETS } from "@agent-checkpoint/categories";
import type { ToolCallRecord } from "@agent-checkpoint/transcript";
import { expect, test } from "vitest";
import { runHeuristics } from "./weigh-turn.ts";
import { edit, failed, PROJECT, shell, turnOf } from "./test-calls.ts";

const times = (count: number, call: (index: number) => ToolCallRecord) =>
  Array.from({ length: count }, (_, at) => call(at));

const turns = [
  {
    turn: "lines that are slow to parse",
    calls: times(200, () => shell(`${"$[1+".repeat(100)}${" x".repeat(24_000)}`)),
  },
  { turn: "substitutions in substitutions", calls: times(200, () => shell('echo "$(a `b` ${c})" '.repeat(2300))) },
  { turn: "commands without number", calls: times(200, () => shell("a;".repeat(1000))) },
  { turn: "failures of many commands", calls: times(200, (at) => failed(`pytest a${at};`.repeat(1000))) },
  { turn: "failures of one command each", calls: times(20_000, (at) => failed(`pytest a${at}`)) },
  {
    turn: "a failure with a word for every file",
    calls: times(200, (at) => failed(`cat ${`f${at}.ts `.repeat(8000)}`)),
  },
  { turn: "edits without number", calls: times(20_000, (at) => edit(`src/a${at}.ts`)) },
  {
    turn: "long edits of one file",
    calls: times(500, (at) =>
      edit("src/a.ts", { inputData: { old_string: "print(1)\n".repeat(5000), new_string: `${at}\n`.repeat(5000) } }),
    ),
  },
];
const context = { projectPath: PROJECT, workingSlug: null, agentName: "claude", rules: PRESETS.generic } as const;

// Without limits these take from ten seconds to four minutes; of the processor's time, since others may be at work.
test.for(turns)("$turn: weighed in good time", ({ calls }) => {
  const start = process.cpuUsage();
  runHeuristics(["src/a.ts"], turnOf(...calls), context);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(5);
});

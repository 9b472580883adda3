import { PRESETS } from "@agent-checkpoint/categories";
import type { ToolCallRecord } from "@agent-checkpoint/transcript";
import { describe, expect, test } from "vitest";
import { runHeuristics } from "./run-heuristics.ts";
import { edit, failed, PROJECT, shell, turnOf } from "./test-calls.ts";
import { readTurn } from "./turn/read-turn.ts";

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
];
const context = { projectPath: PROJECT, workingSlug: null, agentName: "claude", rules: PRESETS.generic } as const;

// Without limits these take from ten seconds to four minutes; of the processor's time, since others may be at work.
test.for(turns)("$turn: weighed in good time", ({ calls }) => {
  const start = process.cpuUsage();
  runHeuristics(["src/a.ts"], turnOf(...calls), context);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(5);
});

describe("what is left out is the beginning", () => {
  const long = `echo ${"x".repeat(49_000)}`;
  const failuresIn = (...calls: ToolCallRecord[]) =>
    runHeuristics(["src/a.ts"], turnOf(...calls), context).findings.filter(({ check }) => check === "failed-command");

  test("the last lines are read, and an unread one tells nothing but what the agent reported", () => {
    const first = failed("make check", { files: [`${PROJECT}/a.ts`] });
    const turn = readTurn(turnOf(first, ...times(5, () => shell(long)), shell("pytest")), { projectPath: PROJECT });
    expect(turn.calls.map(({ isUnread }) => isUnread)).toEqual([true, true, false, false, false, false, false]);
    expect(turn.calls[0]).toMatchObject({ commands: [], writes: [{ file: "a.ts" }] });
    expect(turn.calls.at(-1)).toMatchObject({ commands: [{ argv: ["pytest"] }] });
  });

  test("a failure in an unread line is not spoken of, one in a read line is", () => {
    const filler = times(5, () => shell(long));
    expect(failuresIn(failed("make check"), ...filler)).toEqual([]);
    expect(failuresIn(...filler, failed("make check"))).toMatchObject([{ calls: [6] }]);
  });

  test("of failures without number the last ones are spoken of", () => {
    const [finding] = failuresIn(...times(5000, (at) => failed(`cmd-${at} x`)));
    expect(finding?.calls?.at(-1)).toBe(5000);
    expect(finding?.calls?.length).toBeGreaterThan(300);
    expect(finding?.calls?.length).toBeLessThan(5000);
  });
});

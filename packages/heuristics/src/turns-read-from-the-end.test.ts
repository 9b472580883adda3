import { PRESETS } from "@agent-checkpoint/categories";
import type { ToolCallRecord } from "@agent-checkpoint/transcript";
import { expect, test } from "vitest";
import { runHeuristics } from "./weigh-turn.ts";
import { failed, PROJECT, shell, turnOf } from "./test-calls.ts";
import { readTurn } from "./turn/read-turn.ts";

const context = { projectPath: PROJECT, workingSlug: null, agentName: "claude", rules: PRESETS.teleclaude } as const;
const times = (count: number, call: (index: number) => ToolCallRecord) =>
  Array.from({ length: count }, (_, at) => call(at));

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

import fc from "fast-check";
import type { AgentName } from "@agent-checkpoint/transcript";
import { expect, test } from "vitest";
import { EMPTY_SUMMARY, mergeSummaries, type Summary } from "../judge/summary.ts";
import { summaries } from "../testing/arbitrary-summary.ts";
import { buildReport, type ReplayReport, type Totals } from "./build-report.ts";

interface Part {
  readonly agent: AgentName;
  readonly project: string | null;
  readonly summary: Summary;
}

const parts: fc.Arbitrary<readonly Part[]> = fc.array(
  fc.record({
    agent: fc.constantFrom("claude", "gemini", "codex"),
    project: fc.option(fc.constantFrom("/a", "/b", "/c")),
    summary: summaries,
  }),
  { maxLength: 8 },
);

const groupBy = <Key>(all: readonly Part[], keyOf: (part: Part) => Key): Map<Key, Summary> => {
  const groups = new Map<Key, Summary>();
  for (const part of all) {
    groups.set(keyOf(part), mergeSummaries(groups.get(keyOf(part)) ?? EMPTY_SUMMARY, part.summary));
  }
  return groups;
};

const reportOf = (all: readonly Part[]): ReplayReport =>
  buildReport(
    {
      isComplete: true,
      files: { found: 0, replayed: 0, subAgents: 0, otherAgents: 0, notTranscripts: 0 },
      failed: [],
      agents: groupBy(all, ({ agent }) => agent),
      projects: groupBy(all, ({ project }) => project),
    },
    { now: new Date(0), version: "1", config: null, since: null, noisePercent: 30 },
  );

const COUNTS = ["sessions", "turns", "stops", "blocked", "blockedAfterCommit", "messageCharacters"] as const;

const sums = (rows: readonly Totals[]): Readonly<Record<string, number>> =>
  Object.fromEntries(COUNTS.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]));

test("the totals are the sum of the agents, of the projects, and of all parts", () => {
  fc.assert(
    fc.property(parts, (all) => {
      const { totals, agents, projects } = reportOf(all);
      const whole = sums([totals]);
      expect(sums(agents)).toEqual(whole);
      expect(sums(projects)).toEqual(whole);
      for (const name of COUNTS) expect(whole[name]).toBe(all.reduce((sum, { summary }) => sum + summary[name], 0));
    }),
  );
});

test("shares are of all stops, and a rule above the line is noise", () => {
  const rule = { kind: "check", fired: 4, sent: 2, examples: [] } as const;
  const summary = {
    ...EMPTY_SUMMARY,
    turns: 9,
    stops: 6,
    blocked: 2,
    messageCharacters: 401,
    rules: { "check:x": rule },
  };
  const report = reportOf([{ agent: "claude", project: null, summary }]);
  expect(report.totals).toMatchObject({ blockedPercent: 33.3, estimatedTokens: 100 });
  expect(report.rules).toEqual([{ rule: "x", ...rule, sentPercent: 33.3, isNoise: true }]);
});

test("nothing is a hundredth of nothing", () => {
  expect(reportOf([]).totals).toMatchObject({ stops: 0, blockedPercent: 0, estimatedTokens: 0 });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PRESETS } from "@agent-checkpoint/categories";
import { loadScenarios, PROMPT_AT, type Scenario, stopAt, writeClaudeTranscript } from "@agent-checkpoint/fixtures";
import { type Observation, runHeuristics } from "@agent-checkpoint/heuristics";
import { extractToolCallsCurrentTurnSync } from "@agent-checkpoint/transcript";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { observationCheck } from "./observation-check.ts";

/** What the checks say of a scenario's turn. */
function findingsOf(scenario: Scenario): readonly Observation[] {
  const projectPath = "/home/dev/project";
  const facts = {
    sessionId: "s",
    promptId: "p",
    prompt: scenario.prompt,
    projectPath,
    promptAt: PROMPT_AT,
    lastMessage: "Done.",
  };
  const path = join(scratchFolder(), "session.jsonl");
  writeFileSync(path, writeClaudeTranscript(scenario.turn ?? [], facts));
  const { modified = [], added = [], deleted = [], contents = {}, slug = null } = scenario;
  return runHeuristics([...modified, ...added, ...deleted], extractToolCallsCurrentTurnSync(path, "claude"), {
    projectPath,
    agentName: "claude",
    workingSlug: slug,
    plan: contents[`todos/${slug}/implementation-plan.md`] ?? null,
    configFile: "checkpoint.config.json" in contents ? "checkpoint.config.json" : null,
    rules: scenario.name.startsWith("generic") ? PRESETS.generic : PRESETS.teleclaude,
    now: stopAt(scenario),
  }).findings;
}

test("every sentence of every scenario is known to be of its check", () => {
  const findings = loadScenarios().flatMap(findingsOf);
  const unknown = findings.filter(({ check, text }) => observationCheck(text) !== check);
  expect(unknown).toEqual([]);
  expect([...new Set(findings.map(({ check }) => check))].toSorted()).toEqual([
    "config-changed",
    "edit-without-read",
    "failed-command",
    "verification-gap",
    "wide-change",
    "working-slug",
  ]);
});

describe("single sentences", () => {
  const cases = [
    {
      text: "None of the changed files is in the plan of `retry`: verify that the work matches it.",
      check: "working-slug",
    },
    { text: "Daemon code was modified after `pytest` was last seen.", check: "verification-gap" },
    { text: "`make restart` was run but `make status` did not succeed after it.", check: "verification-gap" },
    {
      text: "A command returned errors: `echo was last seen.` failed; verify that it now succeeds.",
      check: "failed-command",
    },
    { text: "`x was edited without being read this turn.` was not observed this turn.", check: "verification-gap" },
    { text: "Words of another version.", check: null },
  ];
  test.for(cases)("$text", ({ text, check }) => {
    expect(observationCheck(text)).toBe(check);
  });
});

import { describe, expect, test } from "vitest";
import type { TeamFigures } from "./read-figures.ts";
import { renderTeamPage } from "./render-team-page.ts";

const NOW = new Date("2026-03-20T12:00:00Z");
const period = { stops: 100, blocked: 40, outcomes: { done: 20, ignored: 20 }, seconds: 60, hookMs: 40 };

const figures: TeamFigures = {
  now: NOW,
  filter: { days: 7, repository: null },
  period,
  before: period,
  agents: [],
  rules: [],
  repositories: [],
  trend: [],
  machines: null,
};

const pageOf = (changes: Partial<TeamFigures>) => renderTeamPage({ ...figures, ...changes }, "shop");

describe("a rule is called noise by the lower bound of its share, not by the share", () => {
  const rules = [
    { ignored: 7, done: 0, isNoise: false },
    { ignored: 8, done: 0, isNoise: true },
    // 55 %, of which the lower bound is at 45 % for a hundred answers and above a half for a thousand.
    { ignored: 55, done: 45, isNoise: false },
    { ignored: 550, done: 450, isNoise: true },
    { ignored: 11, done: 5, isNoise: false },
    { ignored: 13, done: 3, isNoise: true },
  ];
  test.for(rules)("$ignored ignored, $done done: $isNoise", ({ ignored, done, isNoise }) => {
    const rule = { rule: "lint", mode: "require", asked: ignored + done, outcomes: { ignored, done } };
    expect(pageOf({ rules: [rule] }).includes("noise?")).toBe(isNoise);
  });
});

test("a machine is silent a week after it last sent, or joined without ever sending", () => {
  const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);
  const machines = [
    { name: "new", joined: 1, last: null, isSilent: false },
    { name: "never", joined: 8, last: null, isSilent: true },
    { name: "busy", joined: 30, last: 1, isSilent: false },
    { name: "away", joined: 30, last: 8, isSilent: true },
  ];
  const page = pageOf({
    machines: machines.map(({ name, joined, last }, id) => ({
      id,
      name,
      joined_at: daysAgo(joined),
      last_sync_at: last === null ? null : daysAgo(last),
      revoked_at: null,
      client: "1",
    })),
  });
  const rows = page.split("<tr>").filter((row) => machines.some(({ name }) => row.includes(name)));
  expect(rows.map((row) => row.includes(">silent<"))).toEqual(machines.map(({ isSilent }) => isSilent));
});

test("a repository leads to its own page, whatever it is called", () => {
  const name = `a&b"=<c>`;
  const page = pageOf({ repositories: [{ name, stops: 1, blocked: 0, done: 0, known: 0 }] });
  expect(page).toContain(`href="?days=7&amp;repository=${encodeURIComponent(name)}"`);
  expect(page).not.toContain("<c>");
});

import type { RuleMode } from "@agent-checkpoint/categories";
import { NEWEST_ANSWERS, type Outcome, type OutcomeName } from "@agent-checkpoint/store";
import { describe, expect, test } from "vitest";
import { suggestMode, weighRule } from "./weigh-rule.ts";

type Row = Pick<Outcome, "outcome" | "mode" | "agent">;

const rows = (times: number, outcome: OutcomeName, fields: Partial<Row> = {}): readonly Row[] =>
  Array.from({ length: times }, () => ({ outcome, mode: "require", agent: "claude", ...fields }));

describe("the mode that answers speak for", () => {
  const shadow = { mode: "shadow" } as const;
  const codex = { agent: "codex" } as const;
  const cases: {
    title: string;
    mode: RuleMode;
    outcomes: readonly Row[];
    suggested: ReturnType<typeof suggestMode>;
  }[] = [
    { title: "none", mode: "require", outcomes: [], suggested: null },
    { title: "7 ignored", mode: "require", outcomes: rows(7, "ignored"), suggested: null },
    { title: "8 ignored", mode: "require", outcomes: rows(8, "ignored"), suggested: { mode: "advise", agent: null } },
    {
      title: "60 done after 60 ignored",
      mode: "require",
      outcomes: [...rows(60, "done"), ...rows(60, "ignored")],
      suggested: null,
    },
    { title: "19 escaped", mode: "shadow", outcomes: rows(19, "escaped", shadow), suggested: null },
    {
      title: "20 escaped",
      mode: "shadow",
      outcomes: rows(20, "escaped", shadow),
      suggested: { mode: "require", agent: null },
    },
    {
      title: "15 ignored after a move from shadow",
      mode: "require",
      outcomes: [...rows(15, "ignored"), ...rows(20, "escaped", shadow)],
      suggested: null,
    },
    {
      title: "16 ignored after a move from shadow",
      mode: "require",
      outcomes: [...rows(16, "ignored"), ...rows(20, "escaped", shadow)],
      suggested: { mode: "advise", agent: null },
    },
    { title: "20 moot", mode: "shadow", outcomes: rows(20, "moot", shadow), suggested: null },
    {
      title: "20 ignored before the mode changed",
      mode: "require",
      outcomes: [...rows(7, "ignored"), ...rows(1, "done", shadow), ...rows(20, "ignored")],
      suggested: null,
    },
    {
      title: "20 ignored by one agent, 20 done by another",
      mode: "require",
      outcomes: [...rows(20, "ignored", codex), ...rows(20, "done")],
      suggested: { mode: "advise", agent: "codex" },
    },
    { title: "20 ignored, but off", mode: "off", outcomes: rows(20, "ignored"), suggested: null },
  ];
  test.for(cases)("$mode, $title", ({ mode, outcomes, suggested }) => {
    expect(suggestMode(outcomes, mode)).toEqual(suggested);
  });
});

test("all outcomes are counted, and the last known ones in the mode are weighed", () => {
  const weighed = weighRule([...rows(3, "unknown"), ...rows(40, "done"), ...rows(30, "ignored")], "require");
  expect(weighed).toMatchObject({ counts: { unknown: 3, done: 40, ignored: 30 }, recent: 60, worth: { of: 40 / 60 } });
  // Wilson's interval of 40 out of 60 with 90 % confidence.
  expect(weighed.worth?.low).toBeCloseTo(0.561, 3);
  expect(weighed.worth?.high).toBeCloseTo(0.758, 3);
  expect(weighRule(rows(9, "done"), "shadow")).toMatchObject({ counts: { done: 9 }, recent: 0, worth: null });
});

/**
 * Rules whose precision is known, looked at after each of 20 to 500 answers, each suggestion followed at once. A
 * thousand runs, since the share that settles right is itself known only so well after a hundred, and a swing is rare.
 */
describe("in a simulation", () => {
  const RUNS = 1000;
  const cases = [
    { precision: 0.95, from: "require", to: "require" },
    { precision: 0.6, from: "require", to: "require" },
    { precision: 0.3, from: "require", to: "advise" },
    { precision: 0.95, from: "shadow", to: "require" },
    { precision: 0.6, from: "shadow", to: "shadow" },
    { precision: 0.3, from: "shadow", to: "shadow" },
  ] as const;
  test.for(cases)(
    "a rule of precision $precision goes from $from to $to, and never moves twice",
    ({ precision, from, to }) => {
      const runs = Array.from({ length: RUNS }, (_, seed) => simulate(precision, from, seeded(seed)));
      expect(runs.filter((modes) => modes.at(-1) === to).length / RUNS).toBeGreaterThanOrEqual(0.95);
      expect(runs.filter((modes) => modes.length > 2)).toEqual([]);
    },
  );
});

const MIN_ASKS = 20;
const MAX_ASKS = 500;

/** The modes of a rule, one after another. */
function simulate(precision: number, from: Row["mode"], random: () => number): readonly RuleMode[] {
  const modes = [from];
  let mode = from;
  let answers: readonly Row[] = [];
  let former: readonly Row[] = [];
  let inMode = 0;
  const asks = MIN_ASKS + Math.floor(random() * (MAX_ASKS - MIN_ASKS + 1));
  for (let ask = 0; ask < asks; ask += 1) {
    const isRight = random() < precision;
    const [right, wrong] = mode === "shadow" ? (["escaped", "moot"] as const) : (["done", "ignored"] as const);
    // Of the answers in this mode, more than count; of those before, only that there were some, until they are too old.
    answers = [{ outcome: isRight ? right : wrong, mode, agent: "claude" } as const, ...answers].slice(0, 61);
    inMode += 1;
    const suggested = suggestMode([...answers, ...(inMode < NEWEST_ANSWERS ? former : [])], mode)?.mode ?? mode;
    if (suggested === mode || suggested === "off") continue;
    [former, answers, inMode, mode] = [answers.slice(0, 1), [], 0, suggested];
    modes.push(mode);
  }
  return modes;
}

/** Numbers from 0 to 1 that a seed decides: the generator mulberry32. */
function seeded(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

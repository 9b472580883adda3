import fc from "fast-check";
import type { Example, RuleSummary, Summary } from "../judge/summary.ts";

const number = fc.nat({ max: 1000 });
const counts = fc.dictionary(fc.constantFrom("one", "two", "three"), number);

const example: fc.Arbitrary<Example> = fc.record({
  agent: fc.constantFrom("claude", "gemini", "codex"),
  session: fc.string({ maxLength: 3 }),
  transcript: fc.string({ maxLength: 3 }),
  project: fc.option(fc.string({ maxLength: 3 })),
  at: fc.option(fc.constantFrom("2026-01", "2026-02", "2026-03")),
  isSent: fc.boolean(),
  text: fc.string({ maxLength: 3 }),
});

const rule = (kind: RuleSummary["kind"]): fc.Arbitrary<RuleSummary> =>
  fc.record({ kind: fc.constant(kind), fired: number, sent: number, examples: fc.array(example, { maxLength: 1 }) });

const rules: fc.Arbitrary<Summary["rules"]> = fc
  .record({ "action:tests": rule("action"), "check:wide-change": rule("check") }, { requiredKeys: [] })
  .map((found) => Object.fromEntries(Object.entries(found)));

/** Any summary, as far as sums go. */
export const summaries: fc.Arbitrary<Summary> = fc.record({
  sessions: number,
  turns: fc.integer({ min: 1, max: 1000 }),
  stops: number,
  blocked: number,
  blockedAfterCommit: number,
  messageCharacters: number,
  noStop: counts,
  blockedFor: counts,
  passedFor: counts,
  rules,
});

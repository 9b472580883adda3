import fc from "fast-check";
import { expect, test } from "vitest";
import { EMPTY_SUMMARY, mergeSummaries, type Summary } from "./summary.ts";
import { summaries } from "../testing/arbitrary-summary.ts";

const merged = (parts: readonly Summary[]): Summary => parts.reduce(mergeSummaries, EMPTY_SUMMARY);

test("the order in which files are done with does not matter", () => {
  fc.assert(
    fc.property(fc.array(summaries, { maxLength: 6 }), (parts) => {
      expect(merged(parts.toReversed())).toEqual(merged(parts));
    }),
  );
});

test("it does not matter which summaries are added first", () => {
  fc.assert(
    fc.property(summaries, summaries, summaries, (one, two, three) => {
      expect(mergeSummaries(one, mergeSummaries(two, three))).toEqual(mergeSummaries(mergeSummaries(one, two), three));
    }),
  );
});

test("a rule keeps three examples, those that would have been seen and the newest first", () => {
  const example = (at: string, isSent: boolean) => ({
    agent: "claude" as const,
    session: at,
    transcript: "/t",
    project: null,
    at,
    isSent,
    text: "x",
  });
  const rule = (at: string, isSent: boolean): Summary => ({
    ...EMPTY_SUMMARY,
    rules: { "check:x": { kind: "check", fired: 1, sent: isSent ? 1 : 0, examples: [example(at, isSent)] } },
  });
  const parts = [rule("2026-01", true), rule("2026-04", false), rule("2026-02", true), rule("2026-03", false)];
  const [kept] = Object.values(merged([...parts, ...parts]).rules);
  expect(kept).toMatchObject({ fired: 8, sent: 4 });
  expect(kept?.examples.map(({ at }) => at)).toEqual(["2026-02", "2026-01", "2026-04"]);
});

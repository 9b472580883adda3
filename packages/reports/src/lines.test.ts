import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { findReports } from "./index.ts";

function readRecording(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}.txt`, import.meta.url), "utf8");
}

const notReports = [
  { text: "prose", output: "All 5 tests passed, and 2 were skipped.\n5 tests passed\n- 12 tests pass (3 test files)" },
  { text: "a README", output: "Run `pytest`.\n\n```\n$ pytest -q\n  5 passed in 0.12s, as it should be\n```" },
  {
    text: "source",
    output: '  const summary = "5 passed in 0.12s";\n  expect(out).toContain("Tests:  2 passed, 2 total");',
  },
  { text: "a diff", output: "-5 passed in 0.12s\n+6 passed in 0.12s\n+test result: ok. 3 passed; 0 failed" },
  {
    text: "what grep shows",
    output: "docs/a.md:12:5 passed in 0.12s\nsrc/b.rs:3:test result: ok. 1 passed; 0 failed;",
  },
  { text: "a list of tests", output: readRecording("vitest/list") },
  { text: "collected tests", output: readRecording("pytest/collect-only") },
  { text: "a build", output: readRecording("turbo/build") },
  { text: "a build by Gradle", output: readRecording("gradle/build-only") },
  { text: "the beginning of a run", output: readRecording("pytest/beginning-only") },
  { text: "a failed call without a runner", output: "npm error code 1\nmake: *** [Makefile:3: test] Error 1" },
  { text: "nothing", output: "" },
];

test.for(notReports)("no report: $text", ({ output }) => {
  expect(findReports(output)).toEqual([]);
});

const PYTEST = "===== 5 passed in 0.12s =====";

const sequences = [
  { text: "red, then green", output: `1 failed in 0.1s\n${PYTEST}`, outcomes: ["red", "green"] },
  { text: "the caller fails", output: `${PYTEST}\n ELIFECYCLE  Test failed. See above.`, outcomes: ["red"] },
  { text: "another script fails", output: `${PYTEST}\n> web@1.0.0 lint\nnpm error code 1`, outcomes: ["green"] },
  {
    text: "another script of Bun fails",
    output: `${PYTEST}\nerror: script "lint" exited with code 1`,
    outcomes: ["green"],
  },
  { text: "another recipe fails", output: `${PYTEST}\nerror: Recipe \`fmt\` failed on line 3`, outcomes: ["green"] },
  {
    text: "the recipe of the tests fails",
    output: `${PYTEST}\nerror: Recipe \`test\` failed on line 3`,
    outcomes: ["red"],
  },
  { text: "another target fails", output: `${PYTEST}\nmake: *** [Makefile:9: lint] Error 1`, outcomes: ["green"] },
  {
    text: "the red one is to blame",
    output: `1 failed in 0.1s\n${PYTEST}\nnpm error code 1`,
    outcomes: ["red", "green"],
  },
  { text: "two writers", output: `[a] 1 failed in 0.1s\n[b] ${PYTEST}`, outcomes: ["red", "green"] },
  { text: "failed as expected", output: "Ran 3 tests in 0.001s\n\nOK (expected failures=1)", outcomes: ["green"] },
  { text: "an expected fail", output: "      Tests  2 passed | 1 expected fail (3)", outcomes: ["green"] },
  { text: "timed out", output: "  Summary [ 1.0s] 2 tests run: 1 passed, 1 timed out, 0 skipped", outcomes: ["red"] },
  {
    text: "not started",
    output: "  Summary [ 1.0s] 2 tests run: 1 passed, 1 exec failed, 0 skipped",
    outcomes: ["red"],
  },
  {
    text: "flaky",
    output: "[WARNING] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Flakes: 1",
    outcomes: ["green"],
  },
  {
    text: "a failed step beside passed tests",
    output: "Build Summary: 2/3 steps succeeded; 1 failed; 5/5 tests passed",
    outcomes: ["red"],
  },
  { text: "tabs as spaces", output: "ok      example.com/a   0.01s\nFAIL    example.com/b   0.01s", outcomes: ["red"] },
  { text: "some skipped", output: "Ran 5 tests in 0.001s\n\nOK (skipped=1)", outcomes: ["green"] },
  {
    text: "filtered blocks beside one with passes",
    output: "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.00s\n".concat(
      "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 8 filtered out; finished in 0.00s",
    ),
    outcomes: ["green"],
  },
];

test.for(sequences)("$text: $outcomes", ({ output, outcomes }) => {
  expect(findReports(output).map(({ outcome }) => outcome)).toEqual(outcomes);
});

test("a red report among more than are kept apart stays red", () => {
  const reports = findReports(`1 failed in 0.1s\n${`${PYTEST}\n`.repeat(500)}2 failed in 0.1s\n${PYTEST}`);
  expect(reports.length).toBe(100);
  expect(reports.filter(({ outcome }) => outcome === "red").length).toBe(2);
});

const hostile = [
  { text: "one line", output: "5 passed ".repeat(110_000) },
  { text: "short lines", output: "a\n".repeat(500_000) },
  { text: "spaces", output: `${" ".repeat(990)}x\n`.repeat(1000) },
  { text: "rules", output: `${"=".repeat(990)}\n`.repeat(1000) },
  { text: "numbers", output: `${"1 passed, ".repeat(90)}\n`.repeat(1100) },
  { text: "prefixes", output: `${"a".repeat(80)}:${"| ".repeat(100)}\n`.repeat(3500) },
  { text: "escapes", output: "\u001b[32m✓\u001b[39m \u001b]8;;x".repeat(40_000) },
  { text: "summaries", output: "3 tests, 0 failures\n".repeat(50_000) },
];

test.for(hostile)("a megabyte of $text is read in time", ({ output }) => {
  const start = performance.now();
  findReports(output);
  expect(performance.now() - start).toBeLessThan(5000);
});

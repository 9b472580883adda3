import { expect, test } from "vitest";
import { endsInFailingSummary, endsInPassingSummary, isTestRun } from "./test-runners.ts";

const outputs = [
  { program: "pytest", output: "....\n5 passed in 0.12s", passes: true },
  { program: "pytest", output: "======= 5 passed, 1 warning in 0.12s =======\n", passes: true },
  { program: "pytest", output: "= 4 passed, 1 skipped in 12.02s (0:00:12) =", passes: true },
  { program: "pytest", output: "= 1 failed, 4 passed in 0.12s =", passes: false },
  { program: "pytest", output: "= 4 passed, 1 error in 0.12s =", passes: false },
  { program: "pytest", output: "no tests ran in 0.01s", passes: false },
  { program: "pytest", output: "", passes: false },
  { program: "pytest", output: `5 passed in 0.12s\n${"noise\n".repeat(20)}`, passes: false },
  { program: "make", output: "pytest -q\n5 passed in 0.12s", passes: true },
  { program: "make", output: "restarted", passes: false },
  { program: "unittest", output: "Ran 3 tests in 0.001s\n\nOK", passes: true },
  { program: "unittest", output: "Ran 3 tests in 0.001s\n\nFAILED (failures=1)", passes: false },
  {
    program: "vitest",
    output:
      "\u001B[2m Test Files \u001B[22m 2 passed (2)\n      Tests  9 passed (9)\n   Start at  10:00\n   Duration  1s",
    passes: true,
  },
  {
    program: "vitest",
    output: " Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 8 passed (9)",
    passes: false,
  },
  {
    program: "jest",
    output: "Tests:       2 skipped, 5 passed, 7 total\nSnapshots:   0 total\nTime: 1 s",
    passes: true,
  },
  { program: "jest", output: "Tests:       1 failed, 5 passed, 6 total", passes: false },
  { program: "cargo", output: "test result: ok. 5 passed; 0 failed; 0 ignored", passes: true },
  { program: "cargo", output: "test result: FAILED. 4 passed; 1 failed", passes: false },
  { program: "go", output: "ok  \texample.com/x\t0.01s", passes: true },
  { program: "go", output: "ok  \texample.com/x\t0.01s\nFAIL\texample.com/y\t0.02s", passes: false },
  { program: "rspec", output: "5 examples, 0 failures", passes: true },
  { program: "node", output: "ℹ tests 3\nℹ pass 3\nℹ fail 0\nℹ cancelled 0", passes: true },
];
test.for(outputs)("$program: $output", ({ program, output, passes }) => {
  expect(endsInPassingSummary(output, program)).toBe(passes);
});

const closings: { program: string; passed: string[]; failed: string[]; neither: string[] }[] = [
  {
    program: "pytest",
    passed: [
      "12 passed in 10.12s",
      "= 4 passed, 2 skipped, 1 deselected, 3 xfailed, 1 xpassed in 1.02 s =",
      "=== 10 passed, 2 warnings in 0.12s ===",
      "3 passed, 4 subtests passed in 0.12s",
    ],
    failed: [
      "12 failed in 0.10s",
      "1 error in 0.10s",
      "2 errors in 0.10s",
      "= 1 failed, 4 passed in 0.12s =",
      "no tests ran in 0.01s",
    ],
    neither: [
      "collected 12 items",
      "we saw 5 passed in 0.12s",
      "5 passed in many s",
      "5 passed in 0.12 seconds",
      "0 failed",
    ],
  },
  { program: "py.test", passed: ["5 passed in 0.12s"], failed: ["1 failed in 0.12s"], neither: [] },
  {
    program: "unittest",
    passed: ["OK", "OK (skipped=1)"],
    failed: ["FAILED (failures=1)"],
    neither: ["OK then", "not OK", "OK (skipped=1) not", "the run FAILED (failures=1)", "FAILED"],
  },
  {
    program: "vitest",
    passed: ["Tests  19 passed (19)", "Tests  12 skipped | 3 todo | 19 passed (34)"],
    failed: ["Tests  10 failed | 8 passed (18)"],
    neither: ["Tests  none", "My Tests  9 passed (9)", "Tests  0 failed"],
  },
  {
    program: "jest",
    passed: ["Tests:       12 passed, 12 total", "Tests: 12 skipped, 2 todo, 15 passed, 29 total"],
    failed: ["Tests:       10 failed, 5 passed, 15 total"],
    neither: ["Tests: 5 passed", "My Tests:  5 passed, 5 total", "0 failed"],
  },
  {
    program: "mocha",
    passed: ["12 passing (20ms)"],
    failed: ["10 failing", "1 failing"],
    neither: ["all 12 passing", "the 10 failing", "0 failing", "12 passings"],
  },
  {
    program: "node",
    passed: ["# fail 0", "ℹ fail 0"],
    failed: ["# fail 1", "ℹ fail 20"],
    neither: ["fail 0", "## fail 0", "## fail 1", "# fail 00"],
  },
  {
    program: "ava",
    passed: ["1 test passed", "12 tests passed"],
    failed: ["1 test failed", "12 tests failed"],
    neither: ["all 12 tests passed", "12 tests passed not", "all 12 tests failed"],
  },
  {
    program: "cargo",
    passed: ["test result: ok. 5 passed; 0 failed", "Summary [   0.12s] 12 tests run: 12 passed, 0 skipped"],
    failed: ["test result: FAILED. 4 passed; 1 failed", "test result: FAILED.", "Summary [ 0.1s] 10 failed, 2 passed"],
    neither: [
      "my test result: ok.",
      "my Summary [0.1s] 1 passed",
      "my test result: FAILED.",
      "test result: ok",
      "0 failed",
    ],
  },
  {
    program: "go",
    passed: ["ok  \texample.com/x\t0.01s", "PASS", "DONE 12 tests in 0.1s"],
    failed: ["FAIL\texample.com/y\t0.02s", "--- FAIL: TestA", "panic: boom", "DONE 3 tests, 1 failure", "12 failures"],
    neither: [
      "not ok  \texample.com/x\t0.01s",
      "PASSED",
      "ok",
      "DONE tests",
      "the FAIL",
      "FAILING",
      "no panic: x",
      "0 failures",
    ],
  },
  { program: "gotestsum", passed: ["DONE 12 tests in 0.1s"], failed: ["DONE 3 tests, 1 failure"], neither: [] },
  {
    program: "rspec",
    passed: ["15 examples, 0 failures", "1 example, 0 failures"],
    failed: [
      "15 examples, 10 failures",
      "1 example, 1 failure",
      "0 examples, 0 failures, 1 error occurred outside of examples",
      "2 errors occurred outside of examples",
    ],
    neither: ["the 15 examples, 0 failures", "the 15 examples, 1 failure"],
  },
  {
    program: "phpunit",
    passed: ["OK (12 tests, 30 assertions)", "OK (1 test, 1 assertion)", "Tests:  12 passed (30 assertions)"],
    failed: ["FAILURES!", "ERRORS!", "Tests:  10 failed, 2 passed"],
    neither: ["not OK (12 tests)", "my Tests:  12 passed", "many FAILURES!", "Tests: none", "0 failed"],
  },
  { program: "pest", passed: ["Tests:  12 passed"], failed: ["Tests:  1 failed, 2 passed"], neither: [] },
  {
    program: "mvn",
    passed: ["[INFO] BUILD SUCCESS"],
    failed: ["[INFO] BUILD FAILURE"],
    neither: ["REBUILD SUCCESS", "BUILD SUCCESSFUL", "REBUILD FAILURE", "BUILD FAILURES"],
  },
  { program: "mvnw", passed: ["[INFO] BUILD SUCCESS"], failed: ["[INFO] BUILD FAILURE"], neither: ["OK"] },
  {
    program: "gradle",
    passed: ["BUILD SUCCESSFUL in 3s"],
    failed: ["BUILD FAILED in 3s"],
    neither: ["my BUILD SUCCESSFUL", "BUILD SUCCESSFULLY", "my BUILD FAILED", "BUILD FAILEDX"],
  },
  { program: "gradlew", passed: ["BUILD SUCCESSFUL in 3s"], failed: ["BUILD FAILED in 3s"], neither: ["OK"] },
  {
    program: "dotnet",
    passed: ["Passed!  - Failed: 0, Passed: 3"],
    failed: ["Failed!  - Failed: 1, Passed: 3"],
    neither: ["OK", "All Passed! yes", "Passed!", "One Failed! no", "Failed!"],
  },
  {
    program: "deno",
    passed: ["ok | 12 passed | 0 failed (3ms)"],
    failed: ["FAILED | 2 passed | 1 failed (3ms)"],
    neither: ["not ok | 12 passed", "the FAILED | 1", "ok | none passed"],
  },
  {
    program: "bun",
    passed: ["0 fail"],
    failed: ["10 fail", "1 fail"],
    neither: ["10 failed", "0 fails", "the 1 fail"],
  },
  {
    program: "playwright",
    passed: ["12 passed (3.2s)"],
    failed: ["10 failed", "1 failed"],
    neither: ["the 12 passed (3s)", "12 passed", "0 failed", "the 1 failed"],
  },
  {
    program: "ctest",
    passed: ["100% tests passed, 0 tests failed out of 3"],
    failed: ["67% tests passed, 1 tests failed out of 3", "20% tests passed, 40 tests failed out of 50"],
    neither: ["the 100% tests passed, 0 tests failed out of 3"],
  },
  {
    program: "mix",
    passed: ["12 tests, 0 failures", "1 test, 0 failures"],
    failed: ["12 tests, 10 failures", "1 test, 1 failure"],
    neither: ["OK", "the 12 tests, 0 failures"],
  },
];
test.for(closings)("what closes a run of $program", ({ program, passed, failed, neither }) => {
  const lines = [...passed, ...failed, ...neither];
  expect({
    passed: lines.filter((line) => endsInPassingSummary(line, program)),
    failed: lines.filter((line) => endsInFailingSummary(line, program)),
  }).toEqual({ passed, failed });
});

const runs = [
  { argv: ["pytest", "-q"], is: true },
  { argv: ["make", "test"], is: true },
  { argv: ["make", "build"], is: false },
  { argv: ["npm", "run", "test:unit"], is: true },
  { argv: ["npm", "run", "build"], is: false },
  { argv: ["cargo", "test"], is: true },
  { argv: ["cargo", "build"], is: false },
  { argv: ["go", "test", "./..."], is: true },
  { argv: ["node", "server.js"], is: false },
  { argv: ["node", "--test"], is: true },
  { argv: ["python", "a.py"], is: false },
  { argv: ["node", "test"], is: true },
  { argv: ["go", "-v", "-race", "test"], is: true },
  { argv: ["cargo", "build", "--test", "x"], is: false },
  { argv: ["deno", "run", "a", "test"], is: false },
  { argv: ["cargo", "nextest", "run"], is: true },
  { argv: ["mvn", "verify"], is: true },
  { argv: ["gradle", "check"], is: true },
  { argv: ["rake", "spec"], is: true },
  { argv: ["make", "tests"], is: true },
  { argv: ["make", "test_unit"], is: true },
  { argv: ["make", "test-unit"], is: true },
  { argv: ["make", "testing"], is: false },
  { argv: ["make", "latest"], is: false },
  { argv: ["make", "contest:a"], is: false },
  { argv: ["ls", "test"], is: false },
  { argv: [], is: false },
];
test.for(runs)("$argv is a test run: $is", ({ argv, is }) => {
  expect(isTestRun(argv)).toBe(is);
});

const onlyTests = [
  "pytest",
  "py.test",
  "unittest",
  "vitest",
  "jest",
  "mocha",
  "ava",
  "gotestsum",
  "rspec",
  "phpunit",
  "pest",
  "playwright",
  "ctest",
  "tox",
  "nox",
  "cypress",
  "swift",
  "flutter",
  "dart",
  "bazel",
];
test.for(onlyTests)("%s runs tests whatever its words", (program) => {
  expect(isTestRun([program, "x"])).toBe(true);
});

const scripts = [
  "make",
  "gmake",
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "just",
  "task",
  "rake",
  "rails",
  "turbo",
  "nx",
  "sbt",
  "invoke",
  "composer",
];
test.for(scripts)("%s runs tests by the name of a script or target", (program) => {
  expect([isTestRun([program, "test"]), isTestRun([program, "build"])]).toEqual([true, false]);
});

test("a runner that has no words of its own is judged by those of any other", () => {
  expect(endsInFailingSummary("1 failed in 0.10s", "make")).toBe(true);
  expect(endsInPassingSummary("5 passed in 0.10s\n10 failing", "make")).toBe(false);
  expect(endsInPassingSummary("OK", "pytest")).toBe(false);
});

test("colours are passed over", () => {
  expect(endsInPassingSummary("\u001B[32m5 passed\u001B[0m in \u001B[1;32m0.12s\u001B[0m", "pytest")).toBe(true);
});

test("only the last lines close a run", () => {
  const lines = (count: number) => "noise\n".repeat(count);
  expect([11, 12].map((count) => endsInPassingSummary(`5 passed in 0.12s\n${lines(count)}`, "pytest"))).toEqual([
    true,
    false,
  ]);
  expect(endsInPassingSummary(`5 passed in 0.12s\n${" \n".repeat(20)}`, "pytest")).toBe(true);
});

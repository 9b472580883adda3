import { expect, test } from "vitest";
import { endsInPassingSummary, isTestRun } from "./test-runners.ts";

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
];
test.for(runs)("$argv is a test run: $is", ({ argv, is }) => {
  expect(isTestRun(argv)).toBe(is);
});

/** A test runner and the words with which it closes a run. */
export interface TestRunner {
  /** The programs it is called by. */
  readonly programs: readonly string[];
  /** A closing line that says all passed. */
  readonly passed: RegExp;
  /** A closing line that says something did not. */
  readonly failed: RegExp;
}

/** Test runners with a summary of their own. */
export const TEST_RUNNERS: readonly TestRunner[] = [
  {
    programs: ["pytest", "py.test"],
    passed:
      /^=*\s*(?:\d+ (?:passed|skipped|xfailed|xpassed|deselected|warnings?|subtests passed)(?:, )?)+ in [\d.]+ ?s\b.*$/,
    failed: /\b[1-9]\d* (?:failed|errors?)\b|no tests ran/,
  },
  { programs: ["unittest"], passed: /^OK(?: \(.*\))?$/, failed: /^FAILED \(/ },
  { programs: ["vitest"], passed: /^Tests\s+(?:\d+ \w+(?: \| )?)*\d+ passed/, failed: /\b[1-9]\d* failed\b/ },
  { programs: ["jest"], passed: /^Tests:\s+(?:\d+ \w+, )*\d+ passed, \d+ total/, failed: /\b[1-9]\d* failed\b/ },
  { programs: ["mocha"], passed: /^\d+ passing\b/, failed: /^[1-9]\d* failing\b/ },
  { programs: ["node"], passed: /^(?:#|ℹ) fail 0$/, failed: /^(?:#|ℹ) fail [1-9]/ },
  { programs: ["ava"], passed: /^\d+ tests? passed$/, failed: /^\d+ tests? failed/ },
  {
    programs: ["cargo"],
    passed: /^test result: ok\.|^Summary \[.*\] .*\d+ passed/,
    failed: /^test result: FAILED|\b[1-9]\d* failed\b/,
  },
  {
    programs: ["go", "gotestsum"],
    passed: /^(?:ok\s+\S+\s|PASS$|DONE \d+ tests)/,
    failed: /^(?:FAIL\b|--- FAIL|panic:)|\b[1-9]\d* failures?\b/,
  },
  {
    programs: ["rspec"],
    passed: /^\d+ examples?, 0 failures/,
    failed: /^\d+ examples?, [1-9]\d* failures?|errors? occurred outside/,
  },
  {
    programs: ["phpunit", "pest"],
    passed: /^OK \(\d+ tests?|^Tests:\s+\d+ passed/,
    failed: /^(?:FAILURES!|ERRORS!)|\b[1-9]\d* failed\b/,
  },
  { programs: ["mvn", "mvnw"], passed: /\bBUILD SUCCESS\b/, failed: /\bBUILD FAILURE\b/ },
  { programs: ["gradle", "gradlew"], passed: /^BUILD SUCCESSFUL\b/, failed: /^BUILD FAILED\b/ },
  { programs: ["dotnet"], passed: /^Passed!\s/, failed: /^Failed!\s/ },
  { programs: ["deno"], passed: /^ok \| \d+ passed/, failed: /^FAILED \|/ },
  { programs: ["bun"], passed: /^0 fail$/, failed: /^[1-9]\d* fail$/ },
  { programs: ["playwright"], passed: /^\d+ passed \(/, failed: /^[1-9]\d* failed/ },
  { programs: ["ctest"], passed: /^100% tests passed/, failed: /\b[1-9]\d* tests failed out of/ },
  { programs: ["mix"], passed: /^\d+ tests?, 0 failures/, failed: /, [1-9]\d* failures?/ },
];

/** Programs that run tests but leave the summary to another runner. */
const INDIRECT: ReadonlySet<string> = new Set(["tox", "nox", "cypress", "swift", "flutter", "dart", "bazel"]);

/** A target or script that runs tests, by its name. */
export const TEST_WORD: RegExp = /^(?:test|tests|check|spec|verify|nextest)(?:[:_-].*)?$/;

const CLOSING_LINES = 12;

/** Whether a command is a test run, by its program or by a target that says so: `make test`, `npm run test:unit`. */
export function isTestRun([program = "", ...args]: readonly string[]): boolean {
  const runner = TEST_RUNNERS.find(({ programs }) => programs.includes(program));
  const operands = args.filter((word) => !word.startsWith("-"));
  const isNamed = operands.slice(0, 2).some((word) => TEST_WORD.test(word));
  if (runner) return DIRECT_RUNNERS.has(program) || isNamed || (program === "node" && args.includes("--test"));
  return INDIRECT.has(program) || (SCRIPT_RUNNERS.has(program) && isNamed);
}

/** Programs that do nothing but run tests. */
export const DIRECT_RUNNERS: ReadonlySet<string> = new Set([
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
]);

const SCRIPT_RUNNERS: ReadonlySet<string> = new Set([
  "make",
  "gmake",
  "npm",
  "pnpm",
  "yarn",
  "just",
  "task",
  "rake",
  "rails",
  "turbo",
  "nx",
  "sbt",
  "invoke",
  "composer",
]);

/** Whether output ends in the runner's own words that all passed. */
export function endsInPassingSummary(output: string, program: string): boolean {
  const lines = closingLines(output);
  const runners = runnersFor(program);
  return (
    runners.some(({ passed }) => lines.some((line) => passed.test(line))) &&
    !runners.some(({ failed }) => lines.some((line) => failed.test(line)))
  );
}

/** Whether output ends in a runner's own words that something failed. */
export function endsInFailingSummary(output: string, program: string): boolean {
  const lines = closingLines(output);
  return runnersFor(program).some(({ failed }) => lines.some((line) => failed.test(line)));
}

function runnersFor(program: string): readonly TestRunner[] {
  const own = TEST_RUNNERS.filter(({ programs }) => programs.includes(program));
  return own.length > 0 ? own : TEST_RUNNERS;
}

function closingLines(output: string): readonly string[] {
  return output
    .replaceAll(ANSI, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .slice(-CLOSING_LINES);
}

const ANSI = new RegExp(`${String.fromCodePoint(27)}\\[[0-9;]*m`, "g");

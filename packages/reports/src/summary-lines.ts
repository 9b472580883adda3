import type { RunnerId } from "./runners.ts";

/**
 * A line that a runner closes its run with, or a part of that closing.
 *
 * The pattern matches the whole line. Its groups say what the line tells: `tally` holds numbers with their words ("2 passed,
 * 1 failed"), `units` the same of files, suites or tasks, of which only the failures matter, `place` names what was tested.
 * `passed`, `failed`, `skipped`, `filtered` and `total` are numbers.
 */
export interface SummaryLine {
  readonly runner: RunnerId;
  /**
   * - `part`: states what no other line states, or states it anew;
   * - `item`: states its share, and the shares are added up;
   * - `end`: closes the report;
   * - `aftermath`: belongs to the report before it, if there is one.
   */
  readonly is: "part" | "item" | "end" | "aftermath";
  readonly line: RegExp;
  /** What the line is one of. */
  readonly one?: "passed" | "failed" | "skipped" | "filtered";
  readonly outcome?: "green" | "red" | "nothing-run";
  /** The line says nothing by itself: it counts only in a report that an earlier line of the runner has opened. */
  readonly continues?: true;
}

/** Every line that is looked for. The first one that matches is taken, so a runner with a narrower shape comes first. */
export const SUMMARY_LINES: readonly SummaryLine[] = [
  // Lines that come once per test or package, so often, are first.
  { runner: "tap", is: "item", one: "skipped", line: /^ok \d+(?: .*)? # (?:skip|SKIP|Skip|todo|TODO)\b.*$/ },
  { runner: "tap", is: "item", one: "passed", line: /^ok \d+(?: .*)?$/ },
  { runner: "tap", is: "item", one: "skipped", line: /^not ok \d+(?: .*)? # (?:todo|TODO)\b.*$/ },
  { runner: "tap", is: "item", one: "failed", line: /^not ok \d+(?: .*)?$/ },
  { runner: "tap", is: "part", line: /^1\.\.0(?: .*)?$/, outcome: "nothing-run" },
  { runner: "tap", is: "part", line: /^Bail out!.*$/, outcome: "red" },
  { runner: "go", is: "item", one: "filtered", line: /^ok {2}\t(?<place>\S+)\t.*\[no tests to run\]$/ },
  { runner: "go", is: "item", one: "passed", line: /^ok {2}\t(?<place>\S+)\t(?:\d+\.\d+s|\(cached\))(?:\t.*)?$/ },
  { runner: "go", is: "item", one: "skipped", line: /^\? {3}\t(?<place>\S+)\t\[no test files\]$/ },
  { runner: "go", is: "item", one: "skipped", line: /^\t(?<place>\S+)\t\tcoverage: 0\.0% of statements$/ },
  { runner: "go", is: "item", one: "failed", line: /^FAIL\t(?<place>\S+)(?: \[(?:build|setup) failed\]|\t\d+\.\d+s)$/ },
  { runner: "go", is: "part", line: /^ *--- FAIL: \S+ \(\d+\.\d+s\)$/, outcome: "red" },
  { runner: "go", is: "part", line: /^FAIL$/, continues: true, outcome: "red" },
  { runner: "cargo", is: "item", line: /^test result: (?:ok|FAILED)\. (?<tally>\d+ passed; .*)$/ },
  {
    runner: "cargo",
    is: "part",
    line: /^error: could not compile `(?<place>[^`]+)` \((?:test "|.* test\)).*$/,
    outcome: "red",
  },
  {
    runner: "cargo",
    is: "aftermath",
    line: /^error: (?:test failed, to rerun pass .*|\d+ targets? failed:)$/,
    outcome: "red",
  },

  { runner: "pytest", is: "part", line: /^collected 0 items(?: \/ .*)?$/, outcome: "nothing-run" },
  {
    runner: "pytest",
    is: "end",
    line: /^(?:=+ )?(?<tally>\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?|rerun|subtests passed)\b.*?) in [\d.]+ ?s(?:econds)?(?: \([\d:. a-z,]+\))?(?: =+)?$/,
  },
  {
    runner: "pytest",
    is: "end",
    line: /^(?:=+ )?no tests (?:ran|collected)(?: \(.*\))? in [\d.]+s(?: =+)?$/,
    outcome: "nothing-run",
  },
  {
    runner: "pytest",
    is: "part",
    line: /^(?:FAIL Required test coverage of .* not reached\..*|(?:ERROR: )?Coverage failure: .*)$/,
    outcome: "red",
  },
  {
    runner: "pytest",
    is: "end",
    line: /^!+ (?:_pytest\.outcomes\.Exit: .*|Interrupted: .*|KeyboardInterrupt) !+$/,
    outcome: "red",
  },

  { runner: "luaunit", is: "end", line: /^Ran \d+ tests in [\d.]+ seconds, (?<tally>\d+ success(?:es)?, .*)$/ },
  { runner: "unittest", is: "part", line: /^Ran (?<total>\d+) tests? in [\d.]+s$/ },
  { runner: "unittest", is: "end", line: /^OK(?: \((?<tally>[a-z =,\d]+)\))?$/, continues: true },
  { runner: "unittest", is: "end", line: /^FAILED \((?<tally>[a-z =,\d]+)\)$/, continues: true, outcome: "red" },
  { runner: "unittest", is: "end", line: /^NO TESTS RAN(?: \(.*\))?$/, outcome: "nothing-run" },

  {
    runner: "tox",
    is: "item",
    one: "passed",
    line: /^ {2}(?<place>(?:py|test)[\w.-]*): (?:OK\b.*|commands succeeded)$/,
  },
  {
    runner: "tox",
    is: "item",
    one: "failed",
    line: /^(?:ERROR: ) {2}(?<place>(?:py|test)[\w.-]*): (?:FAIL .*|commands failed)$/,
  },
  { runner: "tox", is: "item", one: "failed", line: /^ {2}(?<place>(?:py|test)[\w.-]*): FAIL .*$/ },
  { runner: "tox", is: "end", line: /^ {2}(?:congratulations :\)|evaluation failed :\().*$/, continues: true },
  {
    runner: "nox",
    is: "item",
    one: "passed",
    line: /^nox > Session (?<place>(?:unit|py|tests?)\b\S*) was successful(?: in .*)?\.$/,
  },
  {
    runner: "nox",
    is: "item",
    one: "failed",
    line: /^nox > Session (?<place>(?:unit|py|tests?)\b\S*) failed(?: in .*)?\.$/,
  },

  { runner: "vitest", is: "part", line: /^ *Test Files {2,}(?<units>\d+ .*|no tests)$/ },
  {
    runner: "vitest",
    is: "end",
    line: /^ *Tests {2,}(?<tally>\d+ (?:passed|failed|skipped|todo|expected fail)\b.*\(\d+\))$/,
  },
  { runner: "vitest", is: "end", line: /^ *Tests {2,}no tests$/, outcome: "nothing-run" },
  { runner: "vitest", is: "aftermath", line: /^ *Errors {2,}\d+ errors?$/, outcome: "red" },
  { runner: "vitest", is: "aftermath", line: /^ERROR: Coverage for .* does not meet .*threshold.*$/, outcome: "red" },
  {
    runner: "vitest",
    is: "end",
    line: /^No test(?: suite)? files found, exiting with code \d$/,
    outcome: "nothing-run",
  },

  { runner: "jest", is: "part", line: /^Jest: .*coverage threshold for .* not met.*$/, outcome: "red" },
  { runner: "jest", is: "part", line: /^Test Suites: +(?<units>\d+ .*)$/ },
  {
    runner: "jest",
    is: "end",
    line: /^Tests: {2,}(?<tally>(?:\d+ (?:failed|skipped|todo|passed|errored), )*\d+ total)$/,
  },
  { runner: "jest", is: "end", line: /^No tests found, exiting with code \d$/, outcome: "nothing-run" },

  { runner: "mocha", is: "part", line: /^ *(?<passed>\d+) passing(?: \(\d+(?:ms|s|m|h)\))$/ },
  { runner: "mocha", is: "part", line: /^ *(?<skipped>\d+) pending$/, continues: true },
  { runner: "mocha", is: "end", line: /^ *(?<failed>\d+) failing$/, continues: true },

  { runner: "ava", is: "part", line: /^ {2}─$/ },
  { runner: "ava", is: "part", line: /^ {2}(?<passed>\d+) tests? passed$/, continues: true },
  { runner: "ava", is: "part", line: /^ {2}(?<failed>\d+) tests? failed$/, continues: true },
  { runner: "ava", is: "part", line: /^ {2}(?<skipped>\d+) tests? (?:skipped|todo)$/, continues: true },
  {
    runner: "ava",
    is: "part",
    line: /^ {2}\d+ (?:uncaught exceptions?|unhandled rejections?|hooks? failed)$/,
    continues: true,
    outcome: "red",
  },
  {
    runner: "ava",
    is: "end",
    line: /^ {2}✘ (?:No tests found in .*|Couldn’t find any files to test.*)$/,
    outcome: "nothing-run",
  },

  { runner: "node-test", is: "part", line: /^(?:#|ℹ) tests +\d+$/ },
  { runner: "node-test", is: "part", line: /^(?:#|ℹ) pass +(?<passed>\d+)$/ },
  { runner: "node-test", is: "part", line: /^(?:#|ℹ) fail +(?<failed>\d+)$/ },
  { runner: "node-test", is: "part", line: /^(?:#|ℹ) (?:skipped|skip) +(?<skipped>\d+)$/, continues: true },
  { runner: "node-test", is: "part", line: /^(?:#|ℹ) cancelled [1-9]\d*$/, continues: true, outcome: "red" },
  { runner: "node-test", is: "end", line: /^(?:(?:#|ℹ) duration_ms [\d.]+|# ok)$/, continues: true },
  {
    runner: "node-test",
    is: "aftermath",
    line: /^(?:#|ℹ) Error: \d+(?:\.\d+)?% (?:line|branch|function) coverage does not meet threshold .*$/,
    outcome: "red",
  },
  { runner: "node-tap", is: "end", line: /^# \{ total: (?<total>\d+)(?:, pass: \d+)?(?<tally>.*) \}$/ },

  { runner: "uvu", is: "part", line: /^ {2}Total: {5}(?<total>\d+)$/ },
  { runner: "uvu", is: "part", line: /^ {2}Passed: {4}(?<passed>\d+)$/, continues: true },
  { runner: "uvu", is: "end", line: /^ {2}Skipped: {3}(?<skipped>\d+)$/, continues: true },

  { runner: "jasmine", is: "end", line: /^(?<tally>\d+ specs?, \d+ failures?(?:, \d+ pending specs?)?)$/ },
  { runner: "jasmine", is: "end", line: /^(?:Incomplete: )?No specs found$/, outcome: "nothing-run" },
  {
    runner: "karma",
    is: "end",
    line: /^.{0,80}Executed (?<passed>\d+) of \d+ (?:\(skipped (?<skipped>\d+)\) )?SUCCESS \(.*\)$/,
  },
  {
    runner: "karma",
    is: "end",
    line: /^.{0,80}Executed \d+ of (?<total>\d+) \((?<failed>\d+) FAILED\)(?: \(skipped (?<skipped>\d+)\))? \(.*\)$/,
  },
  { runner: "karma", is: "end", line: /^.{0,80}Executed (?<total>\d+) of \d+ \(skipped (?<skipped>\d+)\) \(.*\)$/ },
  { runner: "karma", is: "end", line: /^.{0,80}Executed \d+ of \d+ (?:ERROR|DISCONNECTED)\b.*$/, outcome: "red" },

  { runner: "bun", is: "part", line: /^ *(?<passed>\d+) pass$/ },
  { runner: "bun", is: "part", line: /^ *(?<failed>\d+) fail$/, continues: true },
  { runner: "bun", is: "part", line: /^ *(?<skipped>\d+) (?:skip|todo)$/, continues: true },
  { runner: "bun", is: "part", line: /^ *(?<filtered>\d+) filtered out$/, continues: true },
  { runner: "bun", is: "part", line: /^ *\d+ errors?$/, continues: true, outcome: "red" },
  { runner: "bun", is: "end", line: /^Ran \d+ tests? across \d+ files?\. .*$/ },
  {
    runner: "bun",
    is: "end",
    line: /^(?:No tests found!|error: regex ".*" matched 0 tests\..*)$/,
    outcome: "nothing-run",
  },
  { runner: "deno", is: "end", line: /^(?:ok|FAILED) \| (?<tally>\d+ passed .*) \([\d.]+(?:ms|s|m)[\dms]*\)$/ },
  { runner: "deno", is: "end", line: /^error: No test modules found$/, outcome: "nothing-run" },

  { runner: "playwright", is: "part", line: /^Running \d+ tests? using \d+ workers?$/ },
  { runner: "playwright", is: "part", line: /^ {2}(?<failed>\d+) failed$/, continues: true },
  {
    runner: "playwright",
    is: "part",
    line: /^ {2}\d+ errors? (?:was|were) not a part of any test, see above for details$/,
    outcome: "red",
  },
  { runner: "playwright", is: "part", line: /^ {2}\d+ (?:interrupted)$/, continues: true, outcome: "red" },
  { runner: "playwright", is: "part", line: /^ {2}(?<skipped>\d+) (?:skipped|did not run)$/, continues: true },
  { runner: "playwright", is: "end", line: /^ {2}(?<passed>\d+) passed \([\d.]+(?:ms|s|m|h)\)$/ },
  { runner: "playwright", is: "end", line: /^Error: No tests found\.?.*$/, outcome: "nothing-run" },
  { runner: "cypress", is: "end", line: /^ *✔ +All specs passed! +\d+(?::\d\d|ms).*$/, outcome: "green" },
  { runner: "cypress", is: "end", line: /^ *✖ +\d+ of \d+ failed \(\d+%\).*$/, outcome: "red" },

  { runner: "cucumber", is: "end", line: /^\d+ scenarios? \((?<tally>[^)]*)\)$/ },
  { runner: "cucumber", is: "end", line: /^0 scenarios$/, outcome: "nothing-run" },

  { runner: "nextest", is: "end", line: /^ *Summary \[ *[\d.]+s\] (?:\d+\/)?\d+ tests? run: (?<tally>\d+ passed.*)$/ },
  { runner: "nextest", is: "end", line: /^error: no tests to run$/, outcome: "nothing-run" },

  { runner: "gotestsum", is: "end", line: /^DONE (?:\d+ runs, )?(?<tally>\d+ tests?.*) in [\d.]+s$/ },
  { runner: "ginkgo", is: "part", line: /^Ran \d+ of \d+ Specs in [\d.]+ seconds$/ },
  { runner: "ginkgo", is: "item", line: /^(?:SUCCESS|FAIL)! -- (?<tally>\d+ Passed \| .*)$/ },
  {
    runner: "ginkgo",
    is: "part",
    line: /^(?:Test Suite Failed|There were failures detected in the following suites:)$/,
    outcome: "red",
  },

  { runner: "hspec", is: "part", line: /^Finished in [\d.]+ seconds(?:, used [\d.]+ seconds of CPU time)?$/ },
  { runner: "hspec", is: "end", line: /^(?<tally>\d+ examples?, \d+ failures?(?:, \d+ pending)?)$/, continues: true },
  { runner: "shellspec", is: "part", line: /^Finished in [\d.]+ seconds \(user .*\)$/ },
  { runner: "shellspec", is: "end", line: /^(?<tally>\d+ examples?, \d+ failures?\b.*)$/, continues: true },
  {
    runner: "rspec",
    is: "end",
    line: /^(?<tally>\d+ examples?, \d+ failures?(?:, \d+ pending)?(?:, \d+ errors? occurred outside of examples)?)$/,
  },
  {
    runner: "minitest",
    is: "end",
    line: /^(?<tally>\d+ (?:runs|tests), \d+ assertions, \d+ failures, \d+ errors, \d+ skips)$/,
  },
  {
    runner: "test-unit",
    is: "end",
    line: /^(?<tally>\d+ tests, \d+ assertions, \d+ failures, \d+ errors, \d+ pendings, \d+ omissions, .*)$/,
  },

  {
    runner: "surefire",
    is: "item",
    line: /^(?:\[\w+\] )?Tests run: \d+,.*Time elapsed:.*(?: - |--)(?: ?in )(?<place>[\w.$]+)$/,
  },
  {
    runner: "surefire",
    is: "end",
    line: /^(?:\[\w+\] )?(?<tally>Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+)$/,
  },
  {
    runner: "surefire",
    is: "end",
    line: /^(?:\[INFO\] )?(?:No tests to run\.|Tests are skipped\.)$/,
    outcome: "nothing-run",
  },

  {
    runner: "gradle",
    is: "item",
    one: "skipped",
    line: /^(?:> Task )?:(?<place>(?:[\w.-]+:)*)(?:test|allTests|[a-z]\w*Test) (?:NO-SOURCE|SKIPPED)$/,
  },
  {
    runner: "gradle",
    is: "item",
    one: "failed",
    line: /^(?:> Task )?:(?<place>(?:[\w.-]+:)*)(?:test|allTests|[a-z]\w*Test) FAILED$/,
  },
  {
    runner: "gradle",
    is: "item",
    one: "passed",
    line: /^(?:> Task )?:(?<place>(?:[\w.-]+:)*)(?:test|allTests|[a-z]\w*Test)(?: UP-TO-DATE| FROM-CACHE)?$/,
  },
  { runner: "gradle", is: "part", line: /^\d+ tests? completed, [1-9]\d* failed(?:, \d+ skipped)?$/, outcome: "red" },
  { runner: "gradle", is: "end", line: /^BUILD SUCCESSFUL in .*$/, continues: true },
  { runner: "gradle", is: "end", line: /^BUILD FAILED in .*$/, continues: true, outcome: "red" },

  { runner: "junit", is: "part", line: /^Test run finished after \d+ ms$/ },
  { runner: "junit", is: "part", line: /^\[ +(?<skipped>\d+) tests (?:skipped|aborted) +\]$/ },
  { runner: "junit", is: "part", line: /^\[ +(?<passed>\d+) tests successful +\]$/ },
  { runner: "junit", is: "part", line: /^\[ +[1-9]\d* containers failed +\]$/, outcome: "red" },
  { runner: "junit", is: "end", line: /^\[ +(?<failed>\d+) tests failed +\]$/ },
  { runner: "junit", is: "end", line: /^OK \((?<passed>\d+) tests?\)$/ },
  { runner: "junit", is: "end", line: /^(?<tally>Tests run: \d+, {2}Failures: \d+)$/ },
  {
    runner: "junit",
    is: "end",
    line: /^Test run \S+ finished: (?<tally>\d+ failed, \d+ ignored, \d+ total), [\d.]+s$/,
  },

  { runner: "scalatest", is: "part", line: /^(?:\[info\] )?(?<tally>Tests: succeeded \d+, failed \d+, .*)$/ },
  { runner: "scalatest", is: "part", line: /^(?:\[\w+\] )?\*\*\* .* ABORTED \*\*\*$/, outcome: "red" },
  {
    runner: "scalatest",
    is: "end",
    line: /^(?:\[\w+\] )?(?:Passed|Failed|Error): (?<tally>Total \d+, Failed \d+, Errors \d+, Passed \d+.*)$/,
  },
  {
    runner: "scalatest",
    is: "end",
    line: /^(?:\[info\] )?No tests (?:were executed|to run for .*)\.?$/,
    outcome: "nothing-run",
  },

  { runner: "clojure-test", is: "part", line: /^Ran (?<total>\d+) tests containing \d+ assertions\.$/ },
  { runner: "clojure-test", is: "end", line: /^(?<tally>\d+ failures, \d+ errors)\.$/, continues: true },
  {
    runner: "kaocha",
    is: "end",
    line: /^(?<tally>\d+ tests, \d+ assertions,(?: \d+ (?:errors?|pending),)* \d+ failures)\.$/,
  },

  {
    runner: "dotnet",
    is: "end",
    line: /^ *(?:Passed|Failed|Skipped)! +- (?<tally>Failed: +\d+, Passed: +\d+, Skipped: +\d+, Total: +\d+),.*$/,
  },
  {
    runner: "dotnet",
    is: "end",
    line: /^ *Test summary: (?<tally>total: \d+, failed: \d+, succeeded: \d+, skipped: \d+), duration: .*$/,
  },
  { runner: "dotnet", is: "part", line: /^Test run summary: (?:Passed!|Failed!|Zero tests ran).*$/ },
  { runner: "dotnet", is: "part", line: /^ {2}(?:error|failed): (?<failed>\d+)$/, continues: true },
  { runner: "dotnet", is: "part", line: /^ {2}succeeded: (?<passed>\d+)$/, continues: true },
  { runner: "dotnet", is: "part", line: /^ {2}skipped: (?<skipped>\d+)$/, continues: true },
  { runner: "dotnet", is: "part", line: /^Total tests: (?<total>\d+)$/ },
  { runner: "dotnet", is: "part", line: /^ +Passed: (?<passed>\d+)$/, continues: true },
  { runner: "dotnet", is: "part", line: /^ +Failed: (?<failed>\d+)$/, continues: true },
  { runner: "dotnet", is: "part", line: /^ +Skipped: (?<skipped>\d+)$/, continues: true },
  { runner: "dotnet", is: "end", line: /^ Total time: .* (?:Seconds|Minutes)$/, continues: true },
  { runner: "dotnet", is: "part", line: /^Test Run (?:Failed|Aborted)\.$/, outcome: "red" },
  {
    runner: "dotnet",
    is: "end",
    line: /^(?:No test is available in .*|No test matches the given testcase filter .*)$/,
    outcome: "nothing-run",
  },

  { runner: "phpunit", is: "end", line: /^OK \((?<passed>\d+) tests?, \d+ assertions?\)$/ },
  { runner: "phpunit", is: "end", line: /^(?<tally>Tests: \d+, Assertions: \d+.*)\.$/ },
  { runner: "phpunit", is: "end", line: /^No tests executed!$/, outcome: "nothing-run" },
  { runner: "pest", is: "end", line: /^ *Tests: +(?<tally>\d+ .*) \(\d+ assertions?\)$/ },
  { runner: "pest", is: "end", line: /^ *INFO {2}No tests found\.$/, outcome: "nothing-run" },

  { runner: "ex-unit", is: "part", line: /^Finished in [\d.]+ seconds \([\d.]+s async, [\d.]+s sync\)$/ },
  {
    runner: "ex-unit",
    is: "end",
    line: /^(?<tally>(?:\d+ (?:doctests?|properties|property), )*\d+ tests?, \d+ failures?(?:, \d+ \w+)*)$/,
    continues: true,
  },
  { runner: "ex-unit", is: "end", line: /^There are no tests to run$/, outcome: "nothing-run" },
  { runner: "eunit", is: "part", line: /^Finished in [\d.]+ seconds$/ },
  { runner: "eunit", is: "end", line: /^ {2}All (?<passed>\d+) tests passed\.$/ },
  { runner: "eunit", is: "end", line: /^ {2}(?:Test passed|There were no tests to run)\.$/ },
  { runner: "eunit", is: "end", line: /^ {2}(?<tally>Failed: \d+\. {2}Skipped: \d+\. {2}Passed: \d+)\.$/ },
  { runner: "common-test", is: "part", line: /^===> Running Common Test suites\.\.\.$/ },
  { runner: "common-test", is: "end", line: /^All (?<passed>\d+) tests passed\.$/, continues: true },
  {
    runner: "common-test",
    is: "end",
    line: /^(?:Skipped (?<skipped>\d+) \([^)]*\) tests\. )?(?:Failed (?<failed>\d+) tests\. )?Passed (?<passed>\d+) tests\.$/,
    continues: true,
  },

  {
    runner: "xctest",
    is: "part",
    line: /^\t* *Executed (?<total>\d+) tests?, with (?:(?<skipped>\d+) tests? skipped and )?(?<failed>\d+) failures? \(\d+ unexpected\) in .*$/,
  },
  {
    runner: "swift-testing",
    is: "end",
    line: /^\S+ +Test run with (?<passed>\d+) tests?(?: in \d+ suites?)? passed after .*$/,
  },
  {
    runner: "swift-testing",
    is: "end",
    line: /^\S+ +Test run with \d+ tests?(?: in \d+ suites?)? failed after .*$/,
    outcome: "red",
  },
  { runner: "xcodebuild", is: "end", line: /^\*\* TEST (?:EXECUTE )?SUCCEEDED \*\*.*$/, outcome: "green" },
  { runner: "xcodebuild", is: "end", line: /^\*\* TEST (?:EXECUTE )?FAILED \*\*.*$/, outcome: "red" },
  {
    runner: "xcodebuild",
    is: "end",
    line: /^Tests (?:Passed|Failed): (?<tally>\d+ failed, \d+ skipped, \d+ total) \(.*\)$/,
  },

  { runner: "dart", is: "end", line: /^\d+:\d\d \+(?<passed>\d+)(?: ~(?<skipped>\d+))?: All tests passed!$/ },
  {
    runner: "dart",
    is: "end",
    line: /^\d+:\d\d \+(?<passed>\d+)(?: ~(?<skipped>\d+))? -(?<failed>\d+): Some tests failed\.$/,
  },
  {
    runner: "dart",
    is: "end",
    line: /^(?:\d+:\d\d \+\d+(?: ~\d+)?: )?(?:All tests skipped\.|No tests ran\.|No tests match .*)$/,
    outcome: "nothing-run",
  },

  { runner: "ctest", is: "end", line: /^\d+% tests passed, (?<failed>\d+) tests? failed out of (?<total>\d+)$/ },
  { runner: "ctest", is: "end", line: /^No tests were found!!!$/, outcome: "nothing-run" },
  { runner: "googletest", is: "part", line: /^\[={10}\] \d+ tests? from \d+ test (?:suites?|cases?) ran\. .*$/ },
  { runner: "googletest", is: "part", line: /^\[ {2}PASSED {2}\] (?<passed>\d+) tests?\.$/ },
  { runner: "googletest", is: "part", line: /^\[ {2}SKIPPED \] (?<skipped>\d+) tests?, listed below:$/ },
  { runner: "googletest", is: "part", line: /^\[ {2}FAILED {2}\] (?<failed>\d+) tests?, listed below:$/ },
  { runner: "doctest", is: "end", line: /^\[doctest\] (?<tally>test cases: .*)$/ },
  { runner: "catch2", is: "end", line: /^All tests passed \(\d+ assertions? in (?<passed>\d+) test cases?\)$/ },
  { runner: "catch2", is: "end", line: /^(?<tally>test cases: +\d+ \| .*)$/ },
  { runner: "catch2", is: "end", line: /^(?:No tests ran|No test cases matched .*)$/, outcome: "nothing-run" },
  { runner: "boost-test", is: "end", line: /^\*\*\* No errors detected$/, outcome: "green" },
  { runner: "boost-test", is: "end", line: /^\*\*\* \d+ failures? (?:is|are) detected.*$/, outcome: "red" },
  { runner: "check", is: "end", line: /^\d+%: (?<tally>Checks: \d+, Failures: \d+, Errors: \d+)$/ },
  { runner: "meson", is: "part", line: /^Ok: +(?<passed>\d+) *$/ },
  { runner: "meson", is: "part", line: /^Fail: +(?<failed>\d+) *$/, continues: true },
  { runner: "meson", is: "part", line: /^Skipped: +(?<skipped>\d+) *$/, continues: true },
  { runner: "meson", is: "part", line: /^(?:Unexpected Pass|Timeout): +[1-9]\d* *$/, continues: true, outcome: "red" },
  { runner: "meson", is: "end", line: /^Timeout: +0 *$/, continues: true },
  { runner: "meson", is: "end", line: /^No tests defined\.$/, outcome: "nothing-run" },
  { runner: "automake", is: "part", line: /^# TOTAL: +(?<total>\d+)$/ },
  { runner: "automake", is: "part", line: /^# PASS: +(?<passed>\d+)$/, continues: true },
  { runner: "automake", is: "part", line: /^# SKIP: +(?<skipped>\d+)$/, continues: true },
  { runner: "automake", is: "part", line: /^# FAIL: +(?<failed>\d+)$/, continues: true },
  { runner: "automake", is: "part", line: /^# XPASS: +[1-9]\d*$/, continues: true, outcome: "red" },
  { runner: "automake", is: "end", line: /^# ERROR: +0$/, continues: true },
  { runner: "automake", is: "end", line: /^# ERROR: +[1-9]\d*$/, continues: true, outcome: "red" },

  { runner: "tasty", is: "end", line: /^All (?<passed>\d+) tests passed \([\d.]+s\)$/ },
  { runner: "tasty", is: "end", line: /^(?<failed>\d+) out of (?<total>\d+) tests failed \([\d.]+s\)$/ },
  { runner: "hunit", is: "end", line: /^(?<tally>Cases: \d+ {2}Tried: \d+ {2}Errors: \d+ {2}Failures: \d+)$/ },
  {
    runner: "cabal",
    is: "end",
    line: /^(?<passed>\d+) of (?<total>\d+) test suites \(\d+ of \d+ test cases\) passed\.$/,
  },
  { runner: "alcotest", is: "end", line: /^Test Successful in [\d.]+s\. (?<passed>\d+) tests? run\.$/ },
  { runner: "alcotest", is: "end", line: /^(?<failed>\d+) failures?! in [\d.]+s\. (?<total>\d+) tests? run\.$/ },
  { runner: "ounit", is: "part", line: /^Ran: (?<total>\d+) tests in: [\d.]+ seconds\.$/ },
  { runner: "ounit", is: "end", line: /^OK$/, continues: true },
  {
    runner: "ounit",
    is: "end",
    line: /^FAILED: (?<tally>Cases: \d+ Tried: \d+ Errors: \d+ Failures: \d+ Skip: *\d+ .*)$/,
  },

  {
    runner: "zig",
    is: "end",
    line: /^Build Summary: \d+\/\d+ steps succeeded.*; (?<passed>\d+)\/(?<total>\d+) tests passed.*$/,
  },
  { runner: "zig", is: "end", line: /^All (?<passed>\d+) tests passed\.$/ },
  { runner: "zig", is: "end", line: /^(?<tally>\d+ passed; \d+ skipped; \d+ failed)\.$/ },
  {
    runner: "forge",
    is: "part",
    line: /^(?:Suite|Test) result: (?:ok|FAILED)\. (?<tally>\d+ passed; \d+ failed; \d+ skipped); finished in .*$/,
  },
  {
    runner: "forge",
    is: "end",
    line: /^Ran \d+ test suites? in [^:]*: (?<tally>\d+ tests passed, \d+ failed, \d+ skipped) \(\d+ total tests\)$/,
  },
  {
    runner: "forge",
    is: "end",
    line: /^No tests (?:found in project!.*|to run|match the provided pattern:)$/,
    outcome: "nothing-run",
  },
  {
    runner: "busted",
    is: "end",
    line: /^(?<tally>\d+ success(?:es)? \/ \d+ failures? \/ \d+ errors? \/ \d+ pending) : [\d.]+ seconds$/,
  },
  { runner: "testthat", is: "end", line: /^\[ (?<tally>FAIL \d+ \| WARN \d+ \| SKIP \d+ \| PASS \d+) \]$/ },
  { runner: "julia", is: "end", line: /^ +Testing \S+ tests passed *$/, outcome: "green" },
  { runner: "julia", is: "end", line: /^ERROR: Package \S+ errored during testing.*$/, outcome: "red" },
  { runner: "nim", is: "item", one: "passed", line: /^ {2}\[OK\] \S.*$/ },
  { runner: "nim", is: "item", one: "skipped", line: /^ {2}\[SKIPPED\] \S.*$/ },
  { runner: "nim", is: "item", one: "failed", line: /^ {2}\[FAILED\] \S.*$/ },
  { runner: "pester", is: "end", line: /^(?<tally>Tests Passed: \d+, Failed: \d+, Skipped: \d+).*$/ },
  {
    runner: "terraform",
    is: "end",
    line: /^(?:Success|Failure)! (?<tally>\d+ passed, \d+ failed(?:, \d+ skipped)?)\.$/,
  },
  { runner: "opa", is: "end", line: /^PASS: (?<passed>\d+)\/(?<total>\d+)$/ },
  { runner: "opa", is: "end", line: /^FAIL: (?<failed>\d+)\/(?<total>\d+)$/ },

  { runner: "shunit2", is: "part", line: /^Ran (?<total>\d+) tests?\.$/ },
  { runner: "shunit2", is: "end", line: /^OK(?: \((?<tally>[a-z =,\d]+)\))?$/, continues: true },
  { runner: "shunit2", is: "end", line: /^FAILED \((?<tally>[a-z =,\d]+)\)$/, continues: true, outcome: "red" },
  { runner: "prove", is: "part", line: /^Files=\d+, Tests=(?<total>\d+), .*$/ },
  { runner: "prove", is: "end", line: /^Result: PASS$/, continues: true },
  { runner: "prove", is: "end", line: /^Result: FAIL$/, continues: true, outcome: "red" },
  { runner: "prove", is: "end", line: /^Result: NOTESTS$/, outcome: "nothing-run" },
  {
    runner: "bats",
    is: "end",
    line: /^(?<tally>\d+ tests?, \d+ failures?(?:, \d+ (?:skipped|not run))*)(?: in [\d.]+ seconds)?$/,
  },

  { runner: "bazel", is: "item", line: /^(?<place>\/\/\S+) +(?:\(cached\) )?PASSED\b.*$/ },
  { runner: "bazel", is: "end", line: /^Executed \d+ out of \d+ tests?: (?<tally>.*)\.$/ },
  {
    runner: "bazel",
    is: "end",
    line: /^ERROR: No test targets were found, yet testing was requested$/,
    outcome: "nothing-run",
  },
  { runner: "buck2", is: "end", line: /^Tests finished: (?<tally>Pass \d+\. Fail \d+\..*)$/ },
  { runner: "pants", is: "item", one: "passed", line: /^✓ (?<place>\S+) succeeded in [\d.]+s.*$/ },
  { runner: "pants", is: "item", one: "failed", line: /^✕ (?<place>\S+) failed in [\d.]+s.*$/ },
  { runner: "turbo", is: "part", line: /^ *• Running (?:\S+, )*(?:\S+#)?(?:test|check|verify)\b.* in \d+ packages.*$/ },
  { runner: "turbo", is: "end", line: /^ *Tasks: +(?<passed>\d+) successful, (?<total>\d+) total$/, continues: true },
  { runner: "nx", is: "end", line: /^ *NX {3}Successfully ran targets? [^ ]*\btests?\b.* for .*$/, outcome: "green" },
  { runner: "nx", is: "end", line: /^ *NX {3}(?:Ran|Running) targets? [^ ]*\btests?\b.* for .*$/, outcome: "red" },
  { runner: "nx", is: "end", line: /^ *NX {3}No tasks were run$/, outcome: "nothing-run" },
  {
    runner: "make",
    is: "end",
    line: /^make(?:\[\d+\])?: (?:'[\w.:-]*test[\w.:-]*' is up to date|Nothing to be done for '[\w.:-]*test[\w.:-]*')\.$/,
    outcome: "nothing-run",
  },
];

import { adds, closes, follows, opens, states, type SummaryLine } from "./summary-line.ts";

/** Java, Kotlin, Scala and .NET. */
export const JVM_AND_DOTNET: readonly SummaryLine[] = [
  adds("surefire", /^(?:\[\w+\] )?Tests run: \d+,.*Time elapsed:.*(?: - |--)(?: ?in )(?<place>[\w.$]+)$/),
  states("surefire", /^(?:\[\w+\] )?(?<tally>Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+)$/),
  opens("surefire", /^\[INFO\] --- (?:maven-)?(?:surefire|failsafe)(?:-plugin)?:[\w.-]+:(?:integration-)?test .*$/),
  closes("surefire", /^\[INFO\] BUILD SUCCESS$/, "nothing-run"),
  states("surefire", /^(?:\[INFO\] )?(?:No tests to run\.|Tests are skipped\.)$/, "nothing-run"),

  adds(
    "gradle",
    /^(?:> Task )?:(?:(?<place>[\w.:-]+):)?(?:test|allTests|[a-z]\w*Test) (?:NO-SOURCE|SKIPPED)$/,
    "skipped",
  ),
  adds("gradle", /^(?:> Task )?:(?:(?<place>[\w.:-]+):)?(?:test|allTests|[a-z]\w*Test) FAILED$/, "failed"),
  adds(
    "gradle",
    /^(?:> Task )?:(?:(?<place>[\w.:-]+):)?(?:test|allTests|[a-z]\w*Test)(?: UP-TO-DATE| FROM-CACHE)?$/,
    "passed",
  ),
  opens("gradle", /^\d+ tests? completed, [1-9]\d* failed(?:, \d+ skipped)?$/, "red"),
  closes("gradle", /^BUILD SUCCESSFUL in .*$/),
  closes("gradle", /^BUILD FAILED in .*$/, "red"),

  opens("junit", /^Test run finished after \d+ ms$/),
  opens("junit", /^\[ +(?<skipped>\d+) tests skipped +\]$/),
  opens("junit", /^\[ +(?<passed>\d+) tests successful +\]$/),
  opens("junit", /^\[ +[1-9]\d* containers failed +\]$/, "red"),
  states("junit", /^\[ +(?<failed>\d+) tests failed +\]$/),
  states("junit", /^OK \((?<passed>\d+) tests?\)$/),
  states("junit", /^(?<tally>Tests run: \d+, {2}Failures: \d+)$/),
  states("junit", /^Test run \S+ finished: (?<tally>\d+ failed, \d+ ignored, \d+ total), [\d.]+s$/),

  opens("scalatest", /^(?:\[info\] )?(?<tally>Tests: succeeded \d+, failed \d+, .*)$/),
  opens("scalatest", /^(?:\[\w+\] )?\*\*\* .* ABORTED \*\*\*$/, "red"),
  states(
    "scalatest",
    /^(?:\[\w+\] )?(?:Passed|Failed|Error): (?<tally>Total \d+, Failed \d+, Errors \d+, Passed \d+.*)$/,
  ),
  closes("scalatest", /^(?:\[info\] )?(?:All tests passed\.|\*\*\* \d+ (?:TESTS?|SUITES?) (?:FAILED|ABORTED) \*\*\*)$/),
  states("scalatest", /^(?:\[info\] )?No tests (?:were executed|to run for .*)\.?$/, "nothing-run"),

  states(
    "dotnet",
    /^ *(?:Passed|Failed|Skipped)! +- (?<tally>Failed: +\d+, Passed: +\d+, Skipped: +\d+, Total: +\d+),.*$/,
  ),
  states("dotnet", /^ *Test summary: (?<tally>total: \d+, failed: \d+, succeeded: \d+, skipped: \d+), duration: .*$/),
  opens("dotnet", /^Test run summary: (?:Passed!|Failed!|Zero tests ran).*$/),
  follows("dotnet", /^ {2}(?:error|failed): (?<failed>\d+)$/),
  follows("dotnet", /^ {2}succeeded: (?<passed>\d+)$/),
  follows("dotnet", /^ {2}skipped: (?<skipped>\d+)$/),
  closes("dotnet", /^ {2}duration: .*$/),
  opens("dotnet", /^Total tests: (?<total>\d+)$/),
  follows("dotnet", /^ +Passed: (?<passed>\d+)$/),
  follows("dotnet", /^ +Failed: (?<failed>\d+)$/),
  follows("dotnet", /^ +Skipped: (?<skipped>\d+)$/),
  closes("dotnet", /^ Total time: .* (?:Seconds|Minutes)$/),
  opens("dotnet", /^Test Run (?:Failed|Aborted)\.$/, "red"),
  states("dotnet", /^(?:No test is available in .*|No test matches the given testcase filter .*)$/, "nothing-run"),
];

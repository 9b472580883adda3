import { adds, blames, follows, opens, states, type SummaryLine } from "./summary-line.ts";

/** Rust, Go, C and C++, Zig, Nim, Solidity, Swift, Dart. */
export const COMPILED: readonly SummaryLine[] = [
  opens("cargo", /^ +Running (?:unittests )?\S+ \(\S+[/\\](?<place>[\w-]+)-[\da-f]{16}\)$/),
  opens("cargo", /^ +Doc-tests (?<place>[\w-]+)$/),
  adds("cargo", /^test result: (?:ok|FAILED)\. (?<tally>\d+ passed; .*)$/),
  opens("cargo", /^error: could not compile `(?<place>[^`]+)` \((?:test "|.* test\)).*$/, "red"),
  blames("cargo", /^error: (?:test failed, to rerun pass .*|\d+ targets? failed:)$/),

  states("nextest", /^ *Summary \[ *[\d.]+s\] (?:\d+\/)?\d+ tests? run: (?<tally>\d+ passed.*)$/),
  states("nextest", /^error: no tests to run$/, "nothing-run"),

  adds("go", /^ok {2}\t(?<place>\S+)\t.*\[no tests to run\]$/, "filtered"),
  adds("go", /^ok {2}\t(?<place>\S+)\t(?:\d+\.\d+s|\(cached\))(?:\t.*)?$/, "passed"),
  adds("go", /^\? {3}\t(?<place>\S+)\t\[no test files\]$/, "skipped"),
  adds("go", /^\t(?<place>\S+)\t\tcoverage: 0\.0% of statements$/, "skipped"),
  adds("go", /^FAIL\t(?<place>\S+)(?: \[(?:build|setup) failed\]|\t\d+\.\d+s)$/, "failed"),
  adds("go", /^\{"Time":"[^"]*","Action":"pass","Package":"(?<place>[^"]+)","Elapsed":[\d.]+\}$/, "passed"),
  adds("go", /^\{"Time":"[^"]*","Action":"fail","Package":"(?<place>[^"]+)","Elapsed":[\d.]+\}$/, "failed"),
  opens("go", /^ *--- FAIL: \S+ \(\d+\.\d+s\)$/, "red"),
  follows("go", /^FAIL$/, "red"),

  states("gotestsum", /^DONE (?:\d+ runs, )?(?<tally>\d+ tests?.*) in [\d.]+s$/),

  opens("ginkgo", /^Ran \d+ of \d+ Specs in [\d.]+ seconds$/),
  adds("ginkgo", /^(?:SUCCESS|FAIL)! -- (?<tally>\d+ Passed \| .*)$/),
  opens("ginkgo", /^(?:Test Suite Failed|There were failures detected in the following suites:)$/, "red"),

  states("ctest", /^\d+% tests passed, (?<failed>\d+) tests? failed out of (?<total>\d+)$/),
  states("ctest", /^No tests were found!!!$/, "nothing-run"),

  opens("googletest", /^\[={10}\] \d+ tests? from \d+ test (?:suites?|cases?) ran\. .*$/),
  opens("googletest", /^\[ {2}PASSED {2}\] (?<passed>\d+) tests?\.$/),
  opens("googletest", /^\[ {2}SKIPPED \] (?<skipped>\d+) tests?, listed below:$/),
  opens("googletest", /^\[ {2}FAILED {2}\] (?<failed>\d+) tests?, listed below:$/),

  states("doctest", /^\[doctest\] (?<tally>test cases: .*)$/),

  states("catch2", /^All tests passed \(\d+ assertions? in (?<passed>\d+) test cases?\)$/),
  states("catch2", /^(?<tally>test cases: +\d+ \| .*)$/),
  opens("catch2", /^(?:No tests ran|No test cases matched .*)$/, "nothing-run"),

  states("boost-test", /^\*\*\* No errors detected$/, "green"),
  states("boost-test", /^Test setup error: no test cases matching filter .*$/, "nothing-run"),
  states("boost-test", /^\*\*\* \d+ failures? (?:is|are) detected.*$/, "red"),

  states("check", /^\d+%: (?<tally>Checks: \d+, Failures: \d+, Errors: \d+)$/),

  states("zig", /^Build Summary: \d+\/\d+ steps succeeded.*; (?<passed>\d+)\/(?<total>\d+) tests passed.*$/),
  states("zig", /^All (?<passed>\d+) tests passed\.$/),
  states("zig", /^(?<tally>\d+ passed; \d+ skipped; \d+ failed)\.$/),

  adds("nim", /^ {2}\[OK\] \S.*$/, "passed"),
  adds("nim", /^ {2}\[SKIPPED\] \S.*$/, "skipped"),
  adds("nim", /^ {2}\[FAILED\] \S.*$/, "failed"),

  opens(
    "forge",
    /^(?:Suite|Test) result: (?:ok|FAILED)\. (?<tally>\d+ passed; \d+ failed; \d+ skipped); finished in .*$/,
  ),
  states(
    "forge",
    /^Ran \d+ test suites? in [^:]*: (?<tally>\d+ tests passed, \d+ failed, \d+ skipped) \(\d+ total tests\)$/,
  ),
  states("forge", /^No tests (?:found in project!.*|to run|match the provided pattern:)$/, "nothing-run"),

  opens(
    "xctest",
    /^\t* *Executed (?<total>\d+) tests?, with (?:(?<skipped>\d+) tests? skipped and )?(?<failed>\d+) failures? \(\d+ unexpected\) in .*$/,
  ),

  states("swift-testing", /^\S+ +Test run with (?<passed>\d+) tests?(?: in \d+ suites?)? passed after .*$/),
  states("swift-testing", /^\S+ +Test run with \d+ tests?(?: in \d+ suites?)? failed after .*$/, "red"),

  states("xcodebuild", /^\*\* TEST (?:EXECUTE )?SUCCEEDED \*\*.*$/, "green"),
  states("xcodebuild", /^\*\* TEST (?:EXECUTE )?FAILED \*\*.*$/, "red"),
  states("xcodebuild", /^Tests (?:Passed|Failed): (?<tally>\d+ failed, \d+ skipped, \d+ total) \(.*\)$/),

  states("dart", /^\d+:\d\d \+(?<passed>\d+)(?: ~(?<skipped>\d+))?: All tests passed!$/),
  states("dart", /^\d+:\d\d \+(?<passed>\d+)(?: ~(?<skipped>\d+))? -(?<failed>\d+): Some tests failed\.$/),
  states(
    "dart",
    /^(?:\d+:\d\d \+\d+(?: ~\d+)?: )?(?:All tests skipped\.|No tests ran\.|No tests match .*)$/,
    "nothing-run",
  ),
];

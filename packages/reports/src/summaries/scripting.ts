import { adds, closes, opens, states, type SummaryLine } from "./summary-line.ts";

/** Python, Ruby, PHP, Lua, R, Julia, PowerShell and the shell. */
export const SCRIPTING: readonly SummaryLine[] = [
  opens("pytest", /^(?:FAILED|ERROR) (?<place>[\w./-]+\.py)(?:::\S.*)?$/, "red"),
  opens(
    "pytest",
    /^(?<place>[\w./-]+\.py)(?:::\S+ (?:PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS).*| [.FEsxXR]+(?: +\[ *\d+%\])?)$/,
  ),
  opens("pytest", /^collected 0 items(?: \/ .*)?$/, "nothing-run"),
  states(
    "pytest",
    /^(?:=+ )?(?<tally>\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?|rerun|subtests passed)\b.*?) in [\d.]+ ?s(?:econds)?(?: \([\d:. a-z,]+\))?(?: =+)?$/,
  ),
  states("pytest", /^(?:=+ )?no tests (?:ran|collected)(?: \(.*\))? in [\d.]+s(?: =+)?$/, "nothing-run"),
  opens("pytest", /^(?:FAIL Required test coverage of .* not reached\..*|(?:ERROR: )?Coverage failure: .*)$/, "red"),
  opens("pytest", /^!+ (?:_pytest\.outcomes\.Exit: .*|Interrupted: .*|KeyboardInterrupt) !+$/, "red"),

  opens("unittest", /^Ran (?<total>\d+) tests? in [\d.]+s$/),
  closes("unittest", /^OK(?: \((?<tally>[a-z =,\d]+)\))?$/),
  closes("unittest", /^FAILED \((?<tally>[a-z =,\d]+)\)$/, "red"),
  closes("unittest", /^NO TESTS RAN(?: \(.*\))?$/, "nothing-run"),

  adds("tox", /^ {2}(?<place>(?:py|test)[\w.-]*): (?:OK\b.*|commands succeeded)$/, "passed"),
  adds("tox", /^(?:ERROR: ) {2}(?<place>(?:py|test)[\w.-]*): (?:FAIL .*|commands failed)$/, "failed"),
  adds("tox", /^ {2}(?<place>(?:py|test)[\w.-]*): FAIL .*$/, "failed"),
  closes("tox", /^ {2}(?:congratulations :\)|evaluation failed :\().*$/),

  adds("nox", /^nox > Session (?<place>(?:unit|py|tests?)\b\S*) was successful(?: in .*)?\.$/, "passed"),
  adds("nox", /^nox > Session (?<place>(?:unit|py|tests?)\b\S*) failed(?: in .*)?\.$/, "failed"),

  opens("shellspec", /^Finished in [\d.]+ seconds \(user .*\)$/),
  closes("shellspec", /^(?<tally>\d+ examples?, \d+ failures?\b.*)$/),

  states(
    "rspec",
    /^(?<tally>\d+ examples?, \d+ failures?(?:, \d+ pending)?(?:, \d+ errors? occurred outside of examples)?)$/,
  ),

  states("minitest", /^(?<tally>\d+ (?:runs|tests), \d+ assertions, \d+ failures, \d+ errors, \d+ skips)$/),

  states(
    "test-unit",
    /^(?<tally>\d+ tests, \d+ assertions, \d+ failures, \d+ errors, \d+ pendings, \d+ omissions, .*)$/,
  ),

  states("phpunit", /^OK \((?<passed>\d+) tests?, \d+ assertions?\)$/),
  states("phpunit", /^(?<tally>Tests: \d+, Assertions: \d+.*)\.$/),
  states("phpunit", /^No tests executed!$/, "nothing-run"),

  states("pest", /^ *Tests: +(?<tally>\d+ .*) \(\d+ assertions?\)$/),
  states("pest", /^ *INFO {2}No tests found\.$/, "nothing-run"),

  states("busted", /^(?<tally>\d+ success(?:es)? \/ \d+ failures? \/ \d+ errors? \/ \d+ pending) : [\d.]+ seconds$/),

  states("luaunit", /^Ran \d+ tests in [\d.]+ seconds, (?<tally>\d+ success(?:es)?, .*)$/),

  opens("testthat", /^\[ (?<tally>FAIL \d+ \| WARN \d+ \| SKIP \d+ \| PASS \d+) \](?: Done!)?$/),

  states("julia", /^ +Testing \S+ tests passed *$/, "green"),
  opens("julia", /^ERROR: (?:LoadError: )?Some tests did not pass: (?<tally>\d+ passed, \d+ failed, .*)\.$/),
  states("julia", /^ERROR: Package \S+ errored during testing.*$/, "red"),

  states("pester", /^(?<tally>Tests Passed: \d+, Failed: \d+, Skipped: \d+).*$/),

  opens("shunit2", /^Ran (?<total>\d+) tests?\.$/),
  closes("shunit2", /^OK(?: \((?<tally>[a-z =,\d]+)\))?$/),
  closes("shunit2", /^FAILED \((?<tally>[a-z =,\d]+)\)$/, "red"),

  states("bats", /^(?<tally>\d+ tests?, \d+ failures?(?:, \d+ (?:skipped|not run))*)(?: in [\d.]+ seconds)?$/),
];

import { closes, opens, states, type SummaryLine } from "./summary-line.ts";

/** Elixir, Erlang, Haskell, OCaml, Clojure. */
export const FUNCTIONAL: readonly SummaryLine[] = [
  opens("ex-unit", /^Finished in [\d.]+ seconds \([\d.]+s async, [\d.]+s sync\)$/),
  closes("ex-unit", /^(?<tally>(?:\d+ (?:doctests?|properties|property), )*\d+ tests?, \d+ failures?(?:, \d+ \w+)*)$/),
  states("ex-unit", /^There are no tests to run$/, "nothing-run"),
  opens("ex-unit", /^== Compilation error in file test\/.* ==$/, "red"),

  opens("eunit", /^===> Performing EUnit tests\.\.\.$/),
  closes("eunit", /^(?<tally>\d+ tests?(?:, \d+ failures?)?(?:, \d+ skipped)?)$/),
  states("eunit", /^ {2}(?:All )?(?<passed>\d+) tests passed\.$/),
  states("eunit", /^ {2}Test passed\.$/, "green"),
  states("eunit", /^ {2}There were no tests to run\.$/, "nothing-run"),
  states("eunit", /^ {2}(?<tally>Failed: \d+\. {2}Skipped: \d+\. {2}Passed: \d+)\.$/),

  opens("common-test", /^===> Running Common Test suites\.\.\.$/),
  closes("common-test", /^All (?<passed>\d+) tests passed\.$/),
  closes("common-test", /^(?<tally>(?:Failed \d+ tests\. )?(?:Skipped \d+ \(\d+, \d+\) tests\. )?Passed \d+ tests)\.$/),

  opens("hspec", /^Finished in [\d.]+ seconds(?:, used [\d.]+ seconds of CPU time)?$/),
  closes("hspec", /^(?<tally>\d+ examples?, \d+ failures?(?:, \d+ pending)?)$/),

  states("tasty", /^All (?<passed>\d+) tests passed \([\d.]+s\)$/),
  states("tasty", /^(?<failed>\d+) out of (?<total>\d+) tests failed \([\d.]+s\)$/),

  states("hunit", /^(?<tally>Cases: \d+ {2}Tried: \d+ {2}Errors: \d+ {2}Failures: \d+)$/),

  states("cabal", /^(?<passed>\d+) of (?<total>\d+) test suites \(\d+ of \d+ test cases\) passed\.$/),

  states("alcotest", /^Test Successful in [\d.]+s\. (?<passed>\d+) tests? run\.$/),
  states("alcotest", /^(?<failed>\d+) failures?! in [\d.]+s\. (?<total>\d+) tests? run\.$/),

  opens("ounit", /^Ran: (?<total>\d+) tests in: [\d.]+ seconds\.$/),
  closes("ounit", /^OK(?:: (?<tally>Cases: \d+ (?:Skip|Todo): \d+.*))?$/),
  states("ounit", /^FAILED: (?<tally>Cases: \d+ Tried: \d+ Errors: \d+ Failures: \d+ Skip: *\d+ .*)$/),

  opens("clojure-test", /^Ran (?<total>\d+) tests containing \d+ assertions\.$/),
  closes("clojure-test", /^(?<tally>\d+ failures, \d+ errors)\.$/),

  states("kaocha", /^(?<tally>\d+ tests, \d+ assertions,(?: \d+ (?:errors?|pending),)* \d+ failures)\.$/),
];

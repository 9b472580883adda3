import { adds, closes, follows, opens, states, type SummaryLine } from "./summary-line.ts";

/** Runners of tests in any language, and the programs that start other runners. */
export const ANY_LANGUAGE: readonly SummaryLine[] = [
  adds("tap", /^ok \d+(?: .*)? # (?:skip|SKIP|Skip|todo|TODO)\b.*$/, "skipped"),
  adds("tap", /^ok \d+(?: .*)?$/, "passed"),
  adds("tap", /^not ok \d+(?: .*)? # (?:todo|TODO)\b.*$/, "skipped"),
  adds("tap", /^not ok \d+(?: .*)?$/, "failed"),
  opens("tap", /^1\.\.0(?: .*)?$/, "nothing-run"),
  opens("tap", /^Bail out!.*$/, "red"),

  opens("prove", /^Files=\d+, Tests=(?<total>\d+), .*$/),
  closes("prove", /^Result: PASS$/),
  closes("prove", /^Result: FAIL$/, "red"),
  states("prove", /^Result: NOTESTS$/, "nothing-run"),

  opens("automake", /^# TOTAL: +(?<total>\d+)$/),
  follows("automake", /^# PASS: +(?<passed>\d+)$/),
  follows("automake", /^# SKIP: +(?<skipped>\d+)$/),
  follows("automake", /^# FAIL: +(?<failed>\d+)$/),
  follows("automake", /^# XPASS: +[1-9]\d*$/, "red"),
  closes("automake", /^# ERROR: +0$/),
  closes("automake", /^# ERROR: +[1-9]\d*$/, "red"),

  opens("meson", /^Ok: +(?<passed>\d+) *$/),
  follows("meson", /^Fail: +(?<failed>\d+) *$/),
  follows("meson", /^Skipped: +(?<skipped>\d+) *$/),
  follows("meson", /^(?:Unexpected Pass|Timeout): +[1-9]\d* *$/, "red"),
  closes("meson", /^Timeout: +0 *$/),
  states("meson", /^No (?:suitable )?tests defined\.$/, "nothing-run"),

  adds("bazel", /^(?<place>\/\/\S+) +(?:\(cached\) )?PASSED\b.*$/),
  states("bazel", /^Executed \d+ out of \d+ tests?: (?<tally>.*)\.$/),
  states("bazel", /^ERROR: No test targets were found, yet testing was requested$/, "nothing-run"),

  states("buck2", /^Tests finished: (?<tally>Pass \d+\. Fail \d+\..*)$/),

  adds("pants", /^✓ (?<place>\S+) succeeded in [\d.]+s.*$/, "passed"),
  adds("pants", /^✕ (?<place>\S+) failed in [\d.]+s.*$/, "failed"),

  opens("turbo", /^ {0,9}• Running (?:\S+, )*(?:\S+#)?(?:test|check|verify)\b.* in \d+ packages.*$/),
  closes("turbo", /^ {0,9}Tasks: +(?<passed>\d+) successful, (?<total>\d+) total$/),

  states("nx", /^ {0,9}NX {3}Successfully ran targets? [^ ]*\btests?\b.* for .*$/, "green"),
  states("nx", /^ {0,9}NX {3}(?:Ran targets? [^ ]*\btests?\b.*|Running targets? [^ ]*\btests?\b.* failed)$/, "red"),
  states("nx", /^ {0,9}NX {3}No tasks were run$/, "nothing-run"),

  states(
    "make",
    /^make(?:\[\d+\])?: (?:'[\w.:-]*test[\w.:-]*' is up to date|Nothing to be done for '[\w.:-]*test[\w.:-]*')\.$/,
    "nothing-run",
  ),

  states("cucumber", /^\d+ scenarios? \((?<tally>[^)]*)\)$/),
  states("cucumber", /^0 scenarios$/, "nothing-run"),

  opens("playwright", /^Running \d+ tests? using \d+ workers?$/),
  opens("playwright", /^ {2}(?<failed>\d+) failed$/),
  opens("playwright", /^ {2}\d+ errors? (?:was|were) not a part of any test, see above for details$/, "red"),
  follows("playwright", /^ {2}\d+ (?:interrupted)$/, "red"),
  follows("playwright", /^ {2}(?<skipped>\d+) (?:skipped|did not run)$/),
  states("playwright", /^ {2}(?<passed>\d+) passed \([\d.]+(?:ms|s|m|h)\)$/),
  states("playwright", /^Error: No tests found\.?.*$/, "nothing-run"),

  states("cypress", /^ {0,9}[✔√] +All specs passed! +\d+(?::\d\d|ms).*$/, "green"),
  states("cypress", /^ {0,9}[✖×] +\d+ of \d+ failed \(\d+%\).*$/, "red"),

  states("terraform", /^(?:Success|Failure)! (?<tally>\d+ passed, \d+ failed(?:, \d+ skipped)?)\.$/),

  states("opa", /^PASS: (?<passed>\d+)\/(?<total>\d+)$/),
  states("opa", /^FAIL: (?<failed>\d+)\/(?<total>\d+)$/),

  // A hook prints its name and how it ended; only its name can show that it tests.
  adds(
    "pre-commit",
    /^[\w :/()-]{0,40}\b(?:[Tt]ests?|pytest|jest|vitest|rspec|phpunit)\b[\w :/()-]{0,40}\.{3,}Passed$/,
    "passed",
  ),
  adds(
    "pre-commit",
    /^[\w :/()-]{0,40}\b(?:[Tt]ests?|pytest|jest|vitest|rspec|phpunit)\b[\w :/()-]{0,40}\.{3,}Failed$/,
    "failed",
  ),
  adds(
    "lefthook",
    /^✔\ufe0f? {1,2}[\w:. -]{0,40}\b(?:tests?|pytest|vitest)\b[\w:. -]{0,40} \([\d.]+ seconds\)$/,
    "passed",
  ),
  adds("lefthook", /^🥊 {1,2}[\w:. -]{0,40}\b(?:tests?|pytest|vitest)\b[\w:. -]{0,40} \([\d.]+ seconds\)$/, "failed"),
];

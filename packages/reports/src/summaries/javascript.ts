import { blames, closes, follows, opens, states, type SummaryLine } from "./summary-line.ts";

/** JavaScript and TypeScript. */
export const JAVASCRIPT: readonly SummaryLine[] = [
  opens("vitest", /^ *[✓❯↓×] (?:\|[\w-]+\| )?(?<place>[\w@./-]+\.[cm]?[jt]sx?) +\(\d+ tests?\b.*\).*$/),
  opens("vitest", /^ *FAIL {2}(?:\|[\w-]+\| )?(?<place>[\w@./-]+\.[cm]?[jt]sx?) (?:>.*|\[.*\])$/, "red"),
  opens("vitest", /^ *Test Files {2,}(?<units>\d+ .*|no tests)$/),
  states("vitest", /^ *Tests {2,}(?<tally>\d+ (?:passed|failed|skipped|todo|expected fail)\b.*\(\d+\))$/),
  states("vitest", /^ *Tests {2,}no tests$/, "nothing-run"),
  blames("vitest", /^ *Errors {2,}\d+ errors?$/),
  blames("vitest", /^ERROR: Coverage for .* does not meet .*threshold.*$/),
  states("vitest", /^No test(?: suite)? files found, exiting with code \d$/, "nothing-run"),

  opens("jest", /^ ?PASS +(?:\S+ )?(?<place>[\w@./-]+\.[cm]?[jt]sx?)(?: \([\d.]+ m?s\))?$/),
  opens("jest", /^ ?FAIL +(?:\S+ )?(?<place>[\w@./-]+\.[cm]?[jt]sx?)(?: \([\d.]+ m?s\))?$/, "red"),
  opens("jest", /^Jest: .*\bthreshold\b.*$/, "red"),
  opens("jest", /^Test Suites: +(?<units>\d+ .*)$/),
  states("jest", /^Tests: {2,}(?<tally>(?:\d+ (?:failed|skipped|todo|passed|errored), )*\d+ total)$/),
  states("jest", /^No tests found, exiting with code \d$/, "nothing-run"),

  opens("mocha", /^ *(?<passed>\d+) passing(?: \(\d+(?:ms|s|m|h)\))$/),
  follows("mocha", /^ *(?<skipped>\d+) pending$/),
  closes("mocha", /^ *(?<failed>\d+) failing$/),
  states("mocha", /^Error: No test files? found\b.*$/, "nothing-run"),

  opens("ava", /^ {2}─$/),
  follows("ava", /^ {2}(?<passed>\d+) tests? passed$/),
  follows("ava", /^ {2}(?<failed>\d+) tests? failed$/),
  follows("ava", /^ {2}(?<skipped>\d+) tests? (?:skipped|todo)$/),
  follows("ava", /^ {2}\d+ (?:uncaught exceptions?|unhandled rejections?|hooks? failed)$/, "red"),
  states("ava", /^ {2}✘ (?:No tests found in |Couldn’t find any |Based on your configuration, ).*$/, "nothing-run"),

  opens("node-test", /^(?:#|ℹ) tests +\d+$/),
  opens("node-test", /^(?:#|ℹ) pass +(?<passed>\d+)$/),
  opens("node-test", /^(?:#|ℹ) fail +(?<failed>\d+)$/),
  follows("node-test", /^(?:#|ℹ) (?:skipped|skip) +(?<skipped>\d+)$/),
  follows("node-test", /^(?:#|ℹ) cancelled [1-9]\d*$/, "red"),
  closes("node-test", /^(?:(?:#|ℹ) duration_ms [\d.]+|# ok)$/),
  blames("node-test", /^(?:#|ℹ) Error: \d+(?:\.\d+)?% (?:line|branch|function) coverage does not meet threshold .*$/),

  states("node-tap", /^# \{ (?<tally>total: \d+, .*) \}$/),
  states("node-tap", /^No valid test files found matching .*$/, "nothing-run"),

  opens("uvu", /^ {2}Total: {5}(?<total>\d+)$/),
  follows("uvu", /^ {2}Passed: {4}(?<passed>\d+)$/),
  closes("uvu", /^ {2}Skipped: {3}\d+$/),

  states("jasmine", /^(?<tally>\d+ specs?, \d+ failures?(?:, \d+ pending specs?)?)$/),
  opens("jasmine", /^(?:Incomplete: )?No specs found$/, "nothing-run"),

  opens("karma", /^.{0,80}: Executed (?<passed>\d+) of \d+ (?:\(skipped (?<skipped>\d+)\) )?SUCCESS \(.*\)$/),
  opens(
    "karma",
    /^.{0,80}: Executed (?<total>\d+) of \d+ \((?<failed>\d+) FAILED\)(?: \(skipped (?<skipped>\d+)\))? \(.*\)$/,
  ),
  opens("karma", /^.{0,80}: Executed \d+ of \d+ (?:ERROR|DISCONNECTED)\b.*$/, "red"),
  closes("karma", /^TOTAL: (?<tally>(?:\d+ FAILED, )?\d+ SUCCESS)$/),

  opens("bun", /^ *(?<passed>\d+) pass$/),
  follows("bun", /^ *(?<failed>\d+) fail$/),
  follows("bun", /^ *(?<skipped>\d+) (?:skip|todo)$/),
  follows("bun", /^ *(?<filtered>\d+) filtered out$/),
  follows("bun", /^ *\d+ errors?$/, "red"),
  states("bun", /^Ran \d+ tests? across \d+ files?\. .*$/),
  states(
    "bun",
    /^(?:No tests found!|The following filters did not match any test files:|error: regex ".*" matched 0 tests\..*)$/,
    "nothing-run",
  ),

  states("deno", /^(?:ok|FAILED) \| (?<tally>\d+ passed .*) \([\d.]+(?:ms|s|m)[\dms]*\)$/),
  states("deno", /^error: No test modules found$/, "nothing-run"),
];

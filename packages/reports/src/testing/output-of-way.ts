import { readFileSync } from "node:fs";

/** Commands by the runner that they start, with a recording of it. The first that matches is taken. */
const WAYS: readonly { readonly command: RegExp; readonly recording: string }[] = [
  { command: /\bgo test -race|\bgo (?:-C \S+ )?test\b|\brichgo test\b/, recording: "go/green" },
  { command: /\bgotestsum\b/, recording: "gotestsum/green" },
  { command: /\bginkgo\b/, recording: "ginkgo/green" },
  { command: /\bnextest\b/, recording: "nextest/green" },
  {
    command: /\b(?:cargo(?: \+\w+| hack| insta| miri)?|cross) (?:test|t|llvm-cov)\b|\bwasm-pack test\b/,
    recording: "cargo/green",
  },
  { command: /\btox\b/, recording: "tox/green" },
  { command: /\bnox\b/, recording: "nox/green" },
  { command: /\bmanage\.py test\b/, recording: "unittest/django" },
  { command: /\bunittest\b|\bpython \S*test\S*\.py$/, recording: "unittest/green" },
  { command: /\bnosetests\b/, recording: "unittest/nose2" },
  { command: /\bpy\.?test\b|\bptw\b|\b(?:hatch|rye|pdm) test\b/, recording: "pytest/green" },
  { command: /\bvitest\b/, recording: "vitest/green" },
  { command: /\bng test\b|\bkarma\b/, recording: "karma/green" },
  { command: /\bjest\b|\breact-scripts test\b|\bvue-cli-service test:unit\b/, recording: "jest/green" },
  { command: /\bmocha\b|\b(?:hardhat|anchor) test\b/, recording: "mocha/green" },
  { command: /\bava\b/, recording: "ava/green" },
  { command: /\bnpx tap\b/, recording: "node-tap/green" },
  { command: /\bjasmine\b/, recording: "jasmine/green" },
  { command: /\bplaywright test\b/, recording: "playwright/green" },
  { command: /\bcypress run\b/, recording: "cypress/green" },
  { command: /\b(?:node|tsx)\b.* ?--test\b/, recording: "node-test/green" },
  { command: /\bbun(?: --(?:filter|cwd) \S+)? test\b/, recording: "bun/green" },
  { command: /\bdeno test\b/, recording: "deno/green" },
  { command: /\bturbo\b/, recording: "turbo/green" },
  { command: /\bnx\b/, recording: "nx/green" },
  { command: /\blerna run\b/, recording: "wrappers/lerna" },
  { command: /\bmvnw?\b/, recording: "surefire/green" },
  { command: /\bgradlew? .*testDebugUnitTest\b/, recording: "gradle/android" },
  { command: /\bgradlew?\b/, recording: "gradle/green" },
  { command: /\bsbt\b/, recording: "scalatest/green" },
  { command: /\blein test\b|\bclj\b|\bclojure\b/, recording: "clojure-test/green" },
  { command: /\brspec\b|\brake spec\b/, recording: "rspec/green" },
  { command: /\brails test\b|_test\.rb$/, recording: "minitest/green" },
  { command: /\bcucumber\b/, recording: "cucumber/green" },
  { command: /\bpest\b|\bartisan test\b|\bsail test\b/, recording: "pest/green" },
  { command: /\bphpunit\b|\bcodecept run\b/, recording: "phpunit/green" },
  { command: /\bdotnet test\b|\bvstest\.console\b/, recording: "dotnet/green" },
  { command: /\bdotnet run\b/, recording: "dotnet/testing-platform-green" },
  { command: /\bxcbeautify\b/, recording: "xcodebuild/xcbeautify-green" },
  { command: /\bxcodebuild\b/, recording: "xcodebuild/green" },
  { command: /\bswift test\b/, recording: "xctest/green" },
  { command: /\b(?:dart|flutter|very_good) test\b/, recording: "dart/green" },
  { command: /\bctest\b|\bcmake --build .* --target test\b/, recording: "ctest/green" },
  { command: /\bmeson test\b|\bninja -C \S+ test\b/, recording: "meson/green" },
  { command: /\bunit_tests\b/, recording: "googletest/green" },
  { command: /\bbazel(?:isk)? test\b/, recording: "bazel/green" },
  { command: /\bbuck2 test\b/, recording: "buck2/green" },
  { command: /\bpants test\b/, recording: "pants/green" },
  { command: /\bmix test\b/, recording: "ex-unit/green" },
  { command: /\brebar3 eunit\b/, recording: "eunit/green" },
  { command: /\brebar3 ct\b/, recording: "common-test/green" },
  { command: /\bstack test\b/, recording: "hspec/green" },
  { command: /\bcabal test\b/, recording: "cabal/green" },
  { command: /\bdune (?:test|runtest)\b/, recording: "alcotest/green" },
  { command: /\bzig build test\b/, recording: "zig/build-green" },
  { command: /\bzig test\b/, recording: "zig/green" },
  { command: /\bnim c -r\b|\bnimble test\b/, recording: "nim/green" },
  { command: /\bbusted\b/, recording: "busted/green" },
  { command: /\bprove\b/, recording: "prove/green" },
  { command: /\bbats\b/, recording: "tap/bats-green" },
  { command: /\bshellspec\b/, recording: "shellspec/green" },
  { command: /\bdevtools::test\b/, recording: "testthat/green" },
  { command: /\bPkg\.test\b/, recording: "julia/green" },
  { command: /\bforge test\b/, recording: "forge/green" },
  { command: /\bterraform test\b/, recording: "terraform/green" },
  { command: /\bhelm unittest\b/, recording: "jest/green" },
  { command: /\bopa test\b/, recording: "opa/green" },
  { command: /\bInvoke-Pester\b/, recording: "pester/green" },
];

/** What a command that tests would print if all is well; null if its words do not tell which runner it starts. */
export function outputOfWay(command: string): string | null {
  const way = WAYS.find((candidate) => candidate.command.test(command));
  return way === undefined ? null : readRecording(way.recording);
}

/** A recording by runner and name: "pytest/green". */
export function readRecording(name: string): string {
  return readFileSync(new URL(`../../fixtures/${name}.txt`, import.meta.url), "utf8");
}

import { existsSync, readFileSync } from "node:fs";
import { PRESETS } from "@agent-checkpoint/categories";
import { findReports, languagesOfFile } from "@agent-checkpoint/reports";
import { expect, test } from "vitest";
import { edit, failed, PROJECT, shell, turnOf } from "./test-calls.ts";
import { runHeuristics } from "./weigh-turn.ts";

/** Ways that people start tests, beside the repository where they are at hand: group, ending of the changed file, command. */
const LIST = new URL("../../../../shared/review/ways-to-test.txt", import.meta.url);
const RECORDINGS = new URL("../../reports/fixtures/", import.meta.url);

/** Ways that start nothing here: another machine tests its own copy. */
const NO_TEST_RUNS = /^(?:gh workflow run|ssh )/;

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

/** A runner that a task or a script of a project may start, by the ending of the changed file. */
const ANY_RUNNER = new Map([
  [".py", "pytest/green"],
  [".ts", "vitest/green"],
  [".go", "go/green"],
  [".rs", "cargo/green"],
  [".java", "surefire/green"],
  [".rb", "rspec/green"],
  [".php", "phpunit/green"],
  [".cs", "dotnet/green"],
  [".swift", "xctest/green"],
  [".dart", "dart/green"],
  [".cpp", "ctest/green"],
]);

/** Endings of files, one a language, for the group that has one ending for all. */
const ENDINGS = ".cpp .clj .ex .erl .hs .ml .zig .nim .lua .pl .sh .r .jl .sol .tf .rego .ps1 .ts .py".split(" ");

/** What recordings of a run that tested nothing are called. */
const NOTHING = [
  "no-match",
  "no-tests",
  "all-filtered",
  "all-skipped",
  "no-files",
  "deselected",
  "no-source",
  "nothing",
];

interface Way {
  readonly file: string;
  readonly command: string;
  readonly green: string;
  readonly red: string;
  /** Null where no such recording could be made. */
  readonly nothing: string | null;
}

const ways = existsSync(LIST)
  ? readFileSync(LIST, "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => wayOf(line.split("\t")))
  : [];

function wayOf([, ending = "", command = ""]: readonly string[]): Way {
  const named = WAYS.find((row) => row.command.test(command))?.recording;
  const recording = named ?? ANY_RUNNER.get(ending) ?? "";
  const green = recorded(recording) ?? "";
  const languages = findReports(green).flatMap((report) => report.languages);
  const fits = (one: string) =>
    languages.length === 0 || languagesOfFile(`a${one}`).some((own) => languages.includes(own));
  const folder = recording.slice(0, recording.indexOf("/") + 1);
  const red = recorded(recording.replace("green", "red")) ?? "";
  return {
    file: `src/a${[ending, ...ENDINGS].find(fits) ?? ending}`,
    command,
    green,
    red: red === green ? (recorded(`${recording}-red`) ?? recorded(`${folder}red`) ?? "") : red,
    nothing: NOTHING.map((name) => recorded(folder + name)).find(isNothing) ?? null,
  };
}

/** Some runners call it a pass if no test fits, or end in an error without a report. */
function isNothing(text: string | null): boolean {
  const reports = findReports(text ?? "");
  return reports.length > 0 && reports.every(({ outcome }) => outcome === "nothing-run");
}

function recorded(name: string): string | null {
  const file = new URL(`${name}.txt`, RECORDINGS);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

function isAsked(file: string, call: ReturnType<typeof shell>): boolean {
  const context = { projectPath: PROJECT, workingSlug: null, rules: PRESETS.generic };
  return runHeuristics([file], turnOf(edit(file), call), context).actions.length > 0;
}

test.skipIf(ways.length === 0)("with the recorded output of its runner a green run counts, in nearly every way", () => {
  const unseen = ways.filter(({ file, command, green }) => isAsked(file, shell(command, { output: green })));
  expect(unseen.map(({ command }) => command).filter((command) => !NO_TEST_RUNS.test(command))).toEqual([]);
  expect(ways.length - unseen.length).toBeGreaterThanOrEqual(320);
});

test.skipIf(ways.length === 0)("without any output its name and exit status do", () => {
  const unseen = ways.filter(({ file, command }) => isAsked(file, shell(command)));
  expect(ways.length - unseen.length).toBeGreaterThanOrEqual(320);
});

test.skipIf(ways.length === 0)("a red one does not, whatever its exit status", () => {
  const seen = ways.filter(
    ({ file, command, red }) =>
      !isAsked(file, failed(command, { output: red })) || !isAsked(file, shell(command, { output: red })),
  );
  expect(seen.map(({ command }) => command)).toEqual([]);
  expect(ways.filter(({ red }) => red === "")).toEqual([]);
});

test.skipIf(ways.length === 0)("nor does one that tested nothing", () => {
  const told = ways.filter(({ nothing }) => nothing !== null);
  const seen = told.filter(({ file, command, nothing }) => !isAsked(file, shell(command, { output: nothing ?? "" })));
  expect(seen.map(({ command }) => command)).toEqual([]);
  expect(told.length).toBeGreaterThan(280);
});

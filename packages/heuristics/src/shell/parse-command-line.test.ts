import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Mask, parseCommandLine } from "./parse-command-line.ts";

/** The commands of a line; one whose status may be lost stands in brackets. */
const commandsOf = (line: string) =>
  parseCommandLine(line).map(({ argv, decides }) => (decides ? argv.join(" ") : `[${argv.join(" ")}]`));

/** The commands of a line, each with what hides its status. */
const masksOf = (line: string) => parseCommandLine(line).map(({ argv, maskedBy }) => ({ [argv.join(" ")]: maskedBy }));

describe("which commands a line runs, and whose status it cannot hide", () => {
  const lines: { line: string; runs: string[] }[] = [
    { line: "make restart", runs: ["make restart"] },
    { line: "make restart && make status", runs: ["make restart", "make status"] },
    { line: "make restart; make status", runs: ["[make restart]", "make status"] },
    { line: "make restart\nmake status", runs: ["[make restart]", "make status"] },
    { line: "set -e\nmake restart\nmake status", runs: ["[set -e]", "make restart", "make status"] },
    { line: "set -euo pipefail; pytest | tail -3", runs: ["[set -euo pipefail]", "pytest", "tail -3"] },
    { line: "set -e; make a && make b; make c", runs: ["[set -e]", "[make a]", "[make b]", "make c"] },
    { line: "pytest | tail -5", runs: ["[pytest]", "tail -5"] },
    { line: "set -o pipefail; pytest | tail -5", runs: ["[set -o pipefail]", "pytest", "tail -5"] },
    { line: "pytest || true", runs: ["[pytest]", "[true]"] },
    { line: "pytest || exit 1", runs: ["pytest", "exit 1"] },
    { line: "pytest || { echo failed; exit 1; }", runs: ["pytest", "[echo failed]", "exit 1"] },
    { line: "make a && make b || make c", runs: ["[make a]", "[make b]", "[make c]"] },
    { line: "make a || make b && make c", runs: ["[make a]", "[make b]", "make c"] },
    { line: "pytest; true", runs: ["[pytest]", "true"] },
    { line: "pytest; exit $?", runs: ["pytest", "exit $?"] },
    { line: "! pytest", runs: ["[pytest]"] },
    { line: "pytest &", runs: ["[pytest]"] },
    { line: "(cd sub && pytest)", runs: ["cd sub", "pytest"] },
    { line: "{ make restart; make status; }", runs: ["[make restart]", "make status"] },
    { line: "if pytest; then echo ok; fi", runs: ["[pytest]", "[echo ok]"] },
    { line: "for f in a b; do pytest $f; done", runs: ["[pytest $f]"] },
    { line: "run() { make restart; }", runs: [] },
    { line: "out=$(pytest -q)", runs: ["[pytest -q]"] },
    { line: `bash -lc 'cd x && make restart'`, runs: ["cd x", "make restart"] },
    { line: "bash <<'EOF'\nmake restart\nEOF", runs: ["make restart"] },
    { line: "eval 'make restart'", runs: ["make restart"] },
    { line: "time make restart", runs: ["make restart"] },
    { line: "# make restart", runs: [] },
    { line: "echo 'make restart'", runs: ["echo make restart"] },
    { line: `git commit -m "make restart"`, runs: ["git commit -m make restart"] },
    { line: "cat > notes.md <<'EOF'\nmake restart\nEOF", runs: ["cat"] },
    { line: "make restart && (", runs: ["[make restart]"] },
  ];
  test.for(lines)("$line", ({ line, runs }) => {
    expect(commandsOf(line)).toEqual(runs);
  });
});

describe("what hides a status", () => {
  const lines: { line: string; masks: Record<string, Mask | null>[] }[] = [
    { line: "make a && make b", masks: [{ "make a": null }, { "make b": null }] },
    { line: "make a; make b", masks: [{ "make a": "sequence" }, { "make b": null }] },
    { line: "make a\nmake b", masks: [{ "make a": "sequence" }, { "make b": null }] },
    { line: "set -e; make a; make b", masks: [{ "set -e": "sequence" }, { "make a": null }, { "make b": null }] },
    { line: "make a; exit $?", masks: [{ "make a": null }, { "exit $?": null }] },
    { line: "make a &", masks: [{ "make a": "background" }] },
    { line: "make a & make b", masks: [{ "make a": "background" }, { "make b": null }] },
    { line: "make a | make b", masks: [{ "make a": "pipe" }, { "make b": null }] },
    { line: "! make a", masks: [{ "make a": "negation" }] },
    { line: "! make a | make b", masks: [{ "make a": "negation" }, { "make b": "negation" }] },
    { line: "make a || make b", masks: [{ "make a": "or" }, { "make b": "or" }] },
    { line: "make a || exit 1", masks: [{ "make a": null }, { "exit 1": null }] },
    { line: "make a || make b && make c", masks: [{ "make a": "or" }, { "make b": "or" }, { "make c": null }] },
    { line: "if make a; then make b; fi", masks: [{ "make a": "branch" }, { "make b": "branch" }] },
    { line: "while make a; do make b; done", masks: [{ "make a": "branch" }, { "make b": "branch" }] },
    { line: "for f in a b; do make $f; done", masks: [{ "make $f": "branch" }] },
    { line: "echo $(make a)", masks: [{ "make a": "substitution" }, { "echo $(make a)": null }] },
    { line: "make a && (", masks: [{ "make a": "syntax" }] },
    { line: "make a '", masks: [{ "make a ": "syntax" }] },
    { line: "bash -c 'make a; make b'", masks: [{ "make a": "sequence" }, { "make b": null }] },
  ];
  test.for(lines)("$line", ({ line, masks }) => {
    expect(masksOf(line)).toEqual(masks);
  });

  const nested: typeof lines = [
    {
      line: "make a | make b; make c",
      masks: [{ "make a": "sequence" }, { "make b": "sequence" }, { "make c": null }],
    },
    { line: "make a | tee log || true", masks: [{ "make a": "or" }, { "tee log": "or" }, { true: "or" }] },
    { line: "(make a; make b) || true", masks: [{ "make a": "or" }, { "make b": "or" }, { true: "or" }] },
    { line: "{ make a || true; } | cat", masks: [{ "make a": "pipe" }, { true: "pipe" }, { cat: null }] },
    {
      line: "if make a | make b; then true; fi &",
      masks: [{ "make a": "background" }, { "make b": "background" }, { true: "background" }],
    },
    { line: "bash -c 'make a; make b' || true", masks: [{ "make a": "or" }, { "make b": "or" }, { true: "or" }] },
  ];
  test.for(nested)("the outermost stays: $line", ({ line, masks }) => {
    expect(masksOf(line)).toEqual(masks);
  });
});

describe("the program that really runs", () => {
  const lines = [
    { line: "FOO=1 BAR=2 pytest", runs: "pytest" },
    { line: "sudo -u dev make restart", runs: "make restart" },
    { line: "timeout 60 pytest -q", runs: "pytest -q" },
    { line: "timeout -k 5 60s pytest -q", runs: "pytest -q" },
    { line: "env A=1 -u B pytest", runs: "pytest" },
    { line: "nice -n 5 make test", runs: "make test" },
    { line: "uv run pytest -q", runs: "pytest -q" },
    { line: "uv run --extra dev pytest", runs: "pytest" },
    { line: "poetry run pytest", runs: "pytest" },
    { line: "npx --yes vitest run", runs: "vitest run" },
    { line: "pnpm exec vitest run", runs: "vitest run" },
    { line: ".venv/bin/pytest tests", runs: "pytest tests" },
    { line: "/usr/bin/make restart", runs: "make restart" },
    { line: "python -m pytest -q", runs: "pytest -q" },
    { line: "python3.12 -X dev -m pytest", runs: "pytest" },
    { line: ".venv/bin/python -m pip install -e .", runs: "pip install -e ." },
    { line: "sudo timeout 9 env A=b uv run .venv/bin/python -m pytest", runs: "pytest" },
    { line: "sudo", runs: "sudo" },
  ];
  test.for(lines)("$line", ({ line, runs }) => {
    expect(commandsOf(line)).toEqual([runs]);
  });
});

test("redirections and folders are kept, parts of a pipeline share a step", () => {
  expect(parseCommandLine("cd sub && sort < in.txt | uniq > out.txt 2>&1; cd $X; ls 2>/dev/null")).toEqual([
    {
      argv: ["cd", "sub"],
      decides: false,
      maskedBy: "sequence",
      step: 1,
      folder: ".",
      redirectsTo: [],
      redirectsFrom: [],
    },
    {
      argv: ["sort"],
      decides: false,
      maskedBy: "sequence",
      step: 2,
      folder: "sub",
      redirectsTo: [],
      redirectsFrom: ["in.txt"],
    },
    {
      argv: ["uniq"],
      decides: false,
      maskedBy: "sequence",
      step: 2,
      folder: "sub",
      redirectsTo: ["out.txt"],
      redirectsFrom: [],
    },
    {
      argv: ["cd", "$X"],
      decides: false,
      maskedBy: "sequence",
      step: 3,
      folder: "sub",
      redirectsTo: [],
      redirectsFrom: [],
    },
    { argv: ["ls"], decides: true, maskedBy: null, step: 4, folder: null, redirectsTo: [], redirectsFrom: [] },
  ]);
});

const shellish = fc.string({ unit: fc.constantFrom(..."ab /.'\"`$(){}[]<>|&;\n\\#!=*-".split("")) });

test("any text gives commands, never an error", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), shellish), (line) => Array.isArray(parseCommandLine(line))));
});

test("a command decides exactly where nothing hides its status", () => {
  fc.assert(
    fc.property(shellish, (line) =>
      parseCommandLine(line).every(({ decides, maskedBy }) => decides === (maskedBy === null)),
    ),
  );
});

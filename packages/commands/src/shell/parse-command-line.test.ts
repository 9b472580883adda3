import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Mask, parseCommandLine } from "./parse-command-line.ts";
import { readStatus } from "./status-shown.ts";

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
    { line: "set -o errexit; make a; make b", runs: ["[set -o errexit]", "make a", "make b"] },
    { line: "set -o nounset; make a; make b", runs: ["[set -o nounset]", "[make a]", "make b"] },
    { line: "set -x -e; make a; make b", runs: ["[set -x -e]", "make a", "make b"] },
    { line: "set +e; make a; make b", runs: ["[set +e]", "[make a]", "make b"] },
    { line: "set no-e; make a; make b", runs: ["[set no-e]", "[make a]", "make b"] },
    { line: "set -e1; make a; make b", runs: ["[set -e1]", "[make a]", "make b"] },
    { line: "set foo pipefail; make a | make b", runs: ["[set foo pipefail]", "[make a]", "make b"] },
    { line: "set -k pipefail; make a | make b", runs: ["[set -k pipefail]", "[make a]", "make b"] },
    { line: "setup -e; make a; make b", runs: ["[setup -e]", "[make a]", "make b"] },
    { line: "(set -e); make a; make b", runs: ["[set -e]", "[make a]", "make b"] },
    { line: "set -e; make a; set +e; make b; make c", runs: ["[set -e]", "make a", "set +e", "[make b]", "make c"] },
    { line: "set -e; set +o errexit; make a; make b", runs: ["[set -e]", "set +o errexit", "[make a]", "make b"] },
    {
      line: "set -o pipefail; set +o pipefail; make a | make b",
      runs: ["[set -o pipefail]", "[set +o pipefail]", "[make a]", "make b"],
    },
    { line: "set -e +x; make a; make b", runs: ["[set -e +x]", "make a", "make b"] },
    { line: "set -e -o pipefail; make a; make b", runs: ["[set -e -o pipefail]", "make a", "make b"] },
    {
      line: "set -Eeuo pipefail; make a | make b; make c",
      runs: ["[set -Eeuo pipefail]", "make a", "make b", "make c"],
    },
    { line: "set -oe pipefail; make a; make b | make c", runs: ["[set -oe pipefail]", "make a", "make b", "make c"] },
    { line: "set -o; make a; make b", runs: ["[set -o]", "[make a]", "make b"] },
    { line: "set -- -e; make a; make b", runs: ["[set -- -e]", "[make a]", "make b"] },
    { line: "set file -e; make a; make b", runs: ["[set file -e]", "[make a]", "make b"] },
    { line: "set -u pipefail -e; make a; make b", runs: ["[set -u pipefail -e]", "[make a]", "make b"] },
    { line: "make a || { echo x; echo y; exit 1; }", runs: ["make a", "[echo x]", "[echo y]", "exit 1"] },
    { line: "make a || { exit 1; echo x; }", runs: ["[make a]", "[exit 1]", "[echo x]"] },
    { line: "make a || { echo x; }", runs: ["[make a]", "[echo x]"] },
    { line: "make a || { make b && exit 1; }", runs: ["[make a]", "[make b]", "[exit 1]"] },
    { line: "make a || return 2", runs: ["make a", "return 2"] },
    { line: "make a || exit 12", runs: ["make a", "exit 12"] },
    { line: "make a || false", runs: ["make a", "false"] },
    { line: 'make a || exit "$?"', runs: ["make a", "exit $?"] },
    { line: "make a || (echo x; exit 1)", runs: ["make a", "[echo x]", "exit 1"] },
    { line: "make a || exit", runs: ["[make a]", "[exit]"] },
    { line: "make a || exit 0", runs: ["[make a]", "[exit 0]"] },
    { line: "make a || echo exit 1", runs: ["[make a]", "[echo exit 1]"] },
    { line: "make a || exit 1x", runs: ["[make a]", "[exit 1x]"] },
    { line: "make a || { exit 1 && true; }", runs: ["[make a]", "[exit 1]", "[true]"] },
    { line: "make a || make b | make c", runs: ["[make a]", "[make b]", "[make c]"] },
    { line: "make a; return $?", runs: ["make a", "return $?"] },
    { line: 'make a; exit "$?"', runs: ["make a", "exit $?"] },
    { line: "make a; exit 1 $?", runs: ["[make a]", "exit 1 $?"] },
    { line: "make a; echo exit $?", runs: ["[make a]", "echo exit $?"] },
    { line: "make a; exit $? now", runs: ["[make a]", "exit $? now"] },
    { line: "make a; make b; exit $?", runs: ["[make a]", "make b", "exit $?"] },
    { line: "{ make a; } > log", runs: ["{", "make a"] },
    { line: "(make a) 2>&1", runs: ["make a"] },
    { line: "[[ -f a ]] && make a", runs: ["[[", "make a"] },
    { line: "until make a; do make b; done", runs: ["[make a]", "[make b]"] },
    { line: "case x in a) make a;; esac", runs: ["[make a]"] },
    { line: "if true; then f() { make a; }; fi", runs: ["[true]"] },
    { line: "coproc make a", runs: [] },
    { line: "((1 + 1))", runs: [] },
    { line: "A=1", runs: [] },
    { line: "> out.txt", runs: [""] },
    { line: "A=$(make a) make b", runs: ["[make a]", "make b"] },
    { line: "diff <(make a) b", runs: ["[make a]", "diff <(make a) b"] },
    { line: 'echo "x $(make a) y"', runs: ["[make a]", "echo x $(make a) y"] },
    { line: "make a |& make b", runs: ["[make a]", "make b"] },
    { line: "bash -c", runs: ["bash -c"] },
    { line: "bash x.sh", runs: ["bash x.sh"] },
    { line: "bash x.sh <<'EOF'\nmake a\nEOF", runs: ["bash x.sh"] },
    { line: "bash < x.sh", runs: ["bash"] },
    { line: "bash -e <<'EOF'\nmake a\nEOF", runs: ["make a"] },
    { line: "bash < x.sh <<'EOF'\nmake a\nEOF", runs: ["make a"] },
    { line: "bash -x -c 'make a' name", runs: ["make a"] },
    { line: "bash --c 'make a'", runs: ["bash --c make a"] },
    { line: "bash -ca 'make a'", runs: ["bash -ca make a"] },
    { line: "bash x-c 'make a'", runs: ["bash x-c make a"] },
    { line: "sh -c 'make a'", runs: ["make a"] },
    { line: "zsh -c 'make a'", runs: ["make a"] },
    { line: "dash -c 'make a'", runs: ["make a"] },
    { line: "ksh -c 'make a'", runs: ["make a"] },
    { line: "fish -c 'make a'", runs: ["fish -c make a"] },
    { line: "eval make a", runs: ["make a"] },
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
    { line: "sudo A=1 -u dev make restart", runs: "make restart" },
    { line: "my.exec -q", runs: "my.exec -q" },
    { line: "python3.10 -m pytest", runs: "pytest" },
    { line: "python310 -m pytest", runs: "pytest" },
    { line: "sudo -g dev -C 3 -h host -p prompt -D /x make restart", runs: "make restart" },
    { line: "doas -u dev -C conf make restart", runs: "make restart" },
    { line: "timeout -s KILL 60 pytest", runs: "pytest" },
    { line: "timeout --signal KILL --kill-after 5 60 pytest", runs: "pytest" },
    { line: "timeout 60", runs: "timeout 60" },
    { line: "gtimeout -s KILL -k 5 60 pytest", runs: "pytest" },
    { line: "gtimeout --signal KILL --kill-after 5 60 pytest", runs: "pytest" },
    { line: "env -C sub -S x --unset B --chdir sub pytest", runs: "pytest" },
    { line: "nice --adjustment 5 make test", runs: "make test" },
    { line: "ionice -c 3 -n 7 make test", runs: "make test" },
    { line: "/usr/bin/time -f %e -o out.txt make test", runs: "make test" },
    { line: "nohup make restart", runs: "make restart" },
    { line: "exec make restart", runs: "make restart" },
    { line: "command make restart", runs: "make restart" },
    { line: "builtin make restart", runs: "make restart" },
    { line: "stdbuf -i 0 -o L -e 0 make restart", runs: "make restart" },
    { line: "unbuffer pytest", runs: "pytest" },
    { line: "xvfb-run -n 99 -s x -e log -f auth pytest", runs: "pytest" },
    { line: "caffeinate -t 60 make test", runs: "make test" },
    { line: "uv run --with x --group dev -p 3.12 --python 3.12 pytest", runs: "pytest" },
    { line: "uv run --env-file .env --directory api --project api --package api pytest", runs: "pytest" },
    { line: "uv sync", runs: "uv sync" },
    { line: "pipenv run pytest", runs: "pytest" },
    { line: "pdm run pytest", runs: "pytest" },
    { line: "rye run pytest", runs: "pytest" },
    { line: "hatch run pytest", runs: "pytest" },
    { line: "pixi run pytest", runs: "pytest" },
    { line: "conda run -n env -p dir --name env --prefix dir pytest", runs: "pytest" },
    { line: "coverage run --source src --omit x --include y --rcfile z -m pytest", runs: "pytest" },
    { line: "npx -p vitest --package vitest vitest run", runs: "vitest run" },
    { line: "bunx vitest run", runs: "vitest run" },
    { line: "pnpm dlx vitest run", runs: "vitest run" },
    { line: "npm exec -p vitest --package vitest -w web --workspace web -- vitest run", runs: "vitest run" },
    { line: "yarn exec vitest run", runs: "vitest run" },
    { line: "yarn dlx vitest run", runs: "vitest run" },
    { line: "bundle exec rspec", runs: "rspec" },
    { line: "direnv exec . make test", runs: "make test" },
    { line: "mise exec -- make test", runs: "make test" },
    { line: "dotenv -e .env -f .env.local pytest", runs: "pytest" },
    { line: "cross-env CI=1 vitest run", runs: "vitest run" },
    { line: "npm test -- -t one", runs: "npm test -- -t one" },
    { line: "pytest.exe -q", runs: "pytest -q" },
    { line: "C:/Python/Scripts/PYTEST.EXE", runs: "PYTEST" },
    { line: "python3 -W error -m pytest", runs: "pytest" },
    { line: "python -u a.py -m pytest", runs: "python -u a.py -m pytest" },
    { line: "python a.py", runs: "python a.py" },
    { line: "python -m", runs: "python -m" },
    { line: "pypy3 -m pytest", runs: "pytest" },
    { line: "py -m pytest", runs: "pytest" },
    { line: "pyx -m pytest", runs: "pyx -m pytest" },
    { line: "mypython -m pytest", runs: "mypython -m pytest" },
    { line: "python3.12.1 -m pytest", runs: "pytest" },
    { line: "python3x -m pytest", runs: "python3x -m pytest" },
    { line: "happy -m pytest", runs: "happy -m pytest" },
    { line: "_A1=x pytest", runs: "pytest" },
    { line: "./bin/ a", runs: "./bin/ a" },
  ];
  test.for(lines)("$line", ({ line, runs }) => {
    expect(commandsOf(line)).toEqual([runs]);
  });
});

test("redirections and folders are kept, parts of a pipeline share a step", () => {
  expect(parseCommandLine("cd sub && sort < in.txt | uniq > out.txt 2>&1; cd $X; ls 2>/dev/null")).toMatchObject([
    { argv: ["cd", "sub"], step: 1, folder: ".", redirectsTo: [], redirectsFrom: [], filters: [] },
    { argv: ["sort"], step: 2, folder: "sub", redirectsTo: [], redirectsFrom: ["in.txt"], filters: [["uniq"]] },
    { argv: ["uniq"], step: 2, folder: "sub", redirectsTo: ["out.txt"], redirectsFrom: [], filters: [] },
    { argv: ["cd", "$X"], step: 3, folder: "sub", redirectsTo: [], redirectsFrom: [] },
    { argv: ["ls"], decides: true, maskedBy: null, step: 4, folder: null, redirectsTo: [], redirectsFrom: [] },
  ]);
});

describe("what never runs is no command", () => {
  const lines: { line: string; runs: string[] }[] = [
    { line: "exit 0; pytest", runs: ["[exit 0]"] },
    { line: "command -v pytest", runs: ["command -v pytest"] },
    { line: "command pytest", runs: ["pytest"] },
    { line: "bash -nc pytest", runs: [] },
    { line: "bash -n test.sh", runs: ["bash -n test.sh"] },
    { line: "npx --help vitest", runs: ["npx --help vitest"] },
    { line: "pytest() { :; }; pytest", runs: [] },
    { line: "alias pytest=true; pytest", runs: ["[alias pytest=true]"] },
    { line: "PYTEST_ADDOPTS=--co pytest", runs: ["pytest --co"] },
  ];
  test.for(lines)("$line", ({ line, runs }) => {
    expect(commandsOf(line)).toEqual(runs);
  });
});

describe("what a line prints of a command's exit status", () => {
  const rows = [
    { line: 'pytest > o 2>&1; echo "exit: $?"', output: "exit: 0", status: 0 },
    { line: 'pytest | tail -3; echo "exit: $?"', output: "exit: 0", status: null },
    { line: 'pytest | tail -3; echo "exit ${PIPESTATUS[0]}"', output: "1 failed\nexit 1", status: 1 },
    { line: "pytest; echo $?", output: "5 things\n0", status: 0 },
    { line: "pytest; rc=$?; tail o; echo RC=$rc", output: "RC=2", status: 2 },
    { line: 'pytest; printf "exit=%s\\n" "$?"', output: "exit=0", status: 0 },
    { line: 'cd a && pytest; echo "EXIT:$?"', output: "EXIT:0", status: 0 },
    { line: "pytest; echo done", output: "done 0", status: null },
    { line: 'pytest || true; echo "exit: $?"', output: "exit: 0", status: null },
  ];
  test.for(rows)("$line with $output: $status", ({ line, output, status }) => {
    const shown = parseCommandLine(line).find(({ argv }) => argv[0] === "pytest")?.statusShown ?? null;
    expect(shown === null ? null : readStatus(output, shown)).toBe(status);
  });
});

describe("the folder that a command runs in", () => {
  const lines: { line: string; folders: (string | null)[] }[] = [
    { line: "make a", folders: ["."] },
    { line: "cd sub && make a", folders: [".", "sub"] },
    { line: "cd sub; cd ..; make a", folders: [".", "sub", "."] },
    { line: "cd -P sub && make a", folders: [".", "sub"] },
    { line: "pushd sub && make a", folders: [".", "sub"] },
    { line: "cd /x && make a", folders: [".", "/x"] },
    { line: "cd && make a", folders: [".", "~"] },
    { line: "cd - && make a", folders: [".", null] },
    { line: "cd ~/x && make a", folders: [".", "~/x"] },
    { line: "cd x~ && make a", folders: [".", "x~"] },
    { line: "cd a* && make a", folders: [".", null] },
    { line: "cd a? && make a", folders: [".", null] },
    { line: "cd `pwd` && make a", folders: [".", ".", null] },
    { line: "cd $X && cd sub && make a", folders: [".", null, null] },
    { line: "(cd sub && make a); make b", folders: [".", "sub", "."] },
    { line: "{ cd sub; make a; }; make b", folders: [".", "sub", "sub"] },
    { line: "{ cd sub; } > log; make b", folders: [".", ".", "sub"] },
    { line: "cd sub | make a; make b", folders: [".", ".", "."] },
    { line: "! cd sub; make b", folders: [".", "sub"] },
    { line: "if true; then cd sub; make a; fi; make b", folders: [".", ".", "sub", "."] },
    { line: "bash -c 'cd sub'; make b", folders: [".", "."] },
    { line: "[[ -d sub ]]; make b", folders: [".", "."] },
    { line: "echo $(cd sub; make a); make b", folders: [".", "sub", ".", "."] },
  ];
  test.for(lines)("$line", ({ line, folders }) => {
    expect(parseCommandLine(line).map(({ folder }) => folder)).toEqual(folders);
  });
});

describe("how deep a line is looked into", () => {
  const nested = (depth: number) =>
    Array.from({ length: depth }).reduce<string>((line) => `bash -c ${JSON.stringify(line)}`, "make a");
  test.for([
    { depth: 4, runs: ["make a"] },
    { depth: 5, runs: [] },
  ])("$depth shells", ({ depth, runs }) => {
    expect(commandsOf(nested(depth))).toEqual(runs);
  });

  const substituted = (depth: number) => `${"echo $(".repeat(depth)}make a${")".repeat(depth)}`;
  test.for([
    { depth: 4, runs: true },
    { depth: 5, runs: false },
  ])("$depth substitutions", ({ depth, runs }) => {
    expect(commandsOf(substituted(depth)).includes("[make a]")).toBe(runs);
  });
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

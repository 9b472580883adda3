import type { ToolCallRecord } from "@agent-checkpoint/transcript";
import { describe, expect, test } from "vitest";
import { runHeuristics } from "../weigh-turn.ts";
import { edit, failed, PROJECT, read, shell, turnOf, write } from "../test-calls.ts";

const observe = (calls: readonly ToolCallRecord[]) =>
  runHeuristics([], turnOf(...calls), { projectPath: PROJECT, workingSlug: null, agentName: "claude" })
    .findings.filter(({ check }) => check === "failed-command")
    .map(({ text }) => text);

describe("layer 1: only a call that failed and was not made good", () => {
  const silent: { turn: string; calls: ToolCallRecord[] }[] = [
    {
      turn: "a successful command with a traceback in its output",
      calls: [shell("instrukt-ai-logs teleclaude", { output: "Traceback (most recent call last):\nSyntaxError" })],
    },
    { turn: "a successful status with warnings", calls: [shell("make status", { output: "WARNING: ImportError" })] },
    { turn: "a call the user refused", calls: [failed("make deploy", { rejected: true })] },
    { turn: "a call that is still running", calls: [shell("make deploy", { hadError: null, hasResult: false })] },
    { turn: "a search without a match", calls: [failed("grep -r foo src")] },
    { turn: "a search in a folder without a match", calls: [failed("cd src && rg foo")] },
    { turn: "a comparison that differs", calls: [failed("diff a.txt b.txt")] },
    { turn: "a test that says no", calls: [failed("[ -f x ]"), failed("[[ -f x ]]"), failed("test -d y")] },
    { turn: "a file that could not be read", calls: [read("missing.py", { hadError: true })] },
    { turn: "the same command again", calls: [failed("pytest"), shell("pytest")] },
    {
      turn: "the same command through a wrapper",
      calls: [failed("pytest tests/a.py"), shell("uv run pytest tests/a.py -q")],
    },
    {
      turn: "the same command, piped, with a passing summary",
      calls: [failed("pytest"), shell("pytest | tail -2", { output: "3 passed in 0.10s" })],
    },
    { turn: "a wider run", calls: [failed("pytest tests/a.py"), shell("pytest")] },
    { turn: "a run of the folder", calls: [failed("pytest tests/unit/a.py"), shell("pytest tests")] },
    {
      turn: "a run of the file after one of its tests",
      calls: [failed("pytest tests/a.py::test_x"), shell("pytest tests/a.py")],
    },
    { turn: "an edit of the file in the command", calls: [failed("python tools/gen.py"), edit("tools/gen.py")] },
    { turn: "an edit by absolute path", calls: [failed("python tools/gen.py"), edit(`${PROJECT}/tools/gen.py`)] },
    {
      turn: "an edit of the file in the traceback",
      calls: [failed("pytest", { output: `Traceback\n  File "src/b.py", line 3, in f` }), edit("src/b.py")],
    },
    {
      turn: "a write of the file the compiler named",
      calls: [failed("make build", { output: "src/x.c:12:3: error: expected ';'" }), write("src/x.c")],
    },
    {
      turn: "a shell command on the file",
      calls: [failed("python tools/gen.py"), shell("python -O tools/gen.py --fast")],
    },
    { turn: "fail, edit, pass", calls: [failed("pytest"), edit("src/a.py"), shell("pytest")] },
    { turn: "a failed edit that was done again", calls: [edit("a.py", { hadError: true }), edit("a.py")] },
    {
      turn: "a commit that went through the second time",
      calls: [failed("git commit -m one"), shell("git commit -m two")],
    },
  ];
  test.for(silent)("silent: $turn", ({ calls }) => {
    expect(observe(calls)).toEqual([]);
  });

  const open: { turn: string; calls: ToolCallRecord[]; says: string[] }[] = [
    {
      turn: "no follow-up",
      calls: [failed("make deploy")],
      says: ["A command returned errors: `make deploy` failed; verify that it now succeeds."],
    },
    {
      turn: "a search that could not be made",
      calls: [failed("grep foo missing", { exitCode: 2 })],
      says: ["A command returned errors: `grep …` failed; verify that it now succeeds."],
    },
    {
      turn: "a narrower run",
      calls: [failed("pytest"), shell("pytest tests/b.py")],
      says: ["Test failures remain: `pytest` failed; verify that the same tests pass."],
    },
    {
      turn: "another file's run",
      calls: [failed("pytest tests/a.py"), shell("pytest tests/b.py")],
      says: ["Test failures remain: `pytest tests/a.py` failed; verify that the same tests pass."],
    },
    {
      turn: "a run with a filter",
      calls: [failed("pytest"), shell("pytest -k fast")],
      says: ["Test failures remain: `pytest` failed; verify that the same tests pass."],
    },
    {
      turn: "a masked run",
      calls: [failed("pytest"), shell("pytest || true", { output: "1 failed in 0.10s" })],
      says: ["Test failures remain: `pytest` failed; verify that the same tests pass."],
    },
    {
      turn: "an edit of another file",
      calls: [failed("python tools/gen.py"), edit("tools/other.py")],
      says: ["A command returned errors: `python tools/gen.py` failed; verify that it now succeeds."],
    },
    {
      turn: "an edit that failed",
      calls: [failed("python tools/gen.py"), edit("tools/gen.py", { hadError: true })],
      says: ["A command returned errors: the edit of `tools/gen.py` (and 1 more) failed; verify that it now succeeds."],
    },
    {
      turn: "a re-run that failed again",
      calls: [
        failed("pytest tests/a.py"),
        edit("src/x.py"),
        failed("pytest tests/a.py", { output: "1 failed in 0.1s" }),
      ],
      says: ["Test failures remain: `pytest tests/a.py` failed; verify that the same tests pass."],
    },
    {
      turn: "the first failure made good, the second not",
      calls: [failed("make build"), shell("make build"), failed("make deploy")],
      says: ["A command returned errors: `make deploy` failed; verify that it now succeeds."],
    },
    {
      turn: "a write that failed",
      calls: [write("a.py", { hadError: true })],
      says: ["A command returned errors: the write of `a.py` failed; verify that it now succeeds."],
    },
    {
      turn: "an edit of nobody knows what",
      calls: [edit("a.py", { hadError: true, files: [] })],
      says: ["A command returned errors: the edit of `a file` failed; verify that it now succeeds."],
    },
    {
      turn: "a command of many lines and spaces",
      calls: [failed(`\n  make deploy  \n`)],
      says: ["A command returned errors: `make deploy` failed; verify that it now succeeds."],
    },
    {
      turn: "a command that is not known",
      calls: [failed("", { command: null, toolName: "Terminal" })],
      says: ["A command returned errors: `Terminal` failed; verify that it now succeeds."],
    },
    {
      turn: "several of one kind",
      calls: [failed("make a"), failed("make b")],
      says: ["A command returned errors: `make b` (and 1 more) failed; verify that it now succeeds."],
    },
  ];
  test.for(open)("open: $turn", ({ calls, says }) => {
    expect(observe(calls)).toEqual(says);
  });
});

describe("layer 2: what kind of failure remains", () => {
  const VERIFY: Readonly<Record<string, string>> = {
    "Import errors remain: ": "verify that the import resolves",
    "Syntax errors remain: ": "verify that the file parses",
    "Test failures remain: ": "verify that the same tests pass",
    "Python errors remain: ": "verify that it runs without a traceback",
    "A command returned errors: ": "verify that it now succeeds",
  };
  const rows = [
    {
      output: "Traceback (most recent call last):\nValueError: x",
      command: "python a.py",
      opening: "Python errors remain: ",
    },
    {
      output: '  File "a.py", line 1\nSyntaxError: invalid syntax',
      command: "python a.py",
      opening: "Syntax errors remain: ",
    },
    {
      output: "Traceback (most recent call last):\nImportError: no name",
      command: "python a.py",
      opening: "Import errors remain: ",
    },
    { output: "ModuleNotFoundError: No module named 'x'", command: "python a.py", opening: "Import errors remain: " },
    { output: "1 failed in 0.1s", command: "pytest", opening: "Test failures remain: " },
    {
      output: "Traceback (most recent call last):\nAssertionError\nRan 1 test in 0.001s\n\nFAILED (failures=1)",
      command: "python -m unittest",
      opening: "Test failures remain: ",
    },
    { output: "boom", command: "make deploy", opening: "A command returned errors: " },
    { output: "boom", command: "pytest", opening: "Test failures remain: " },
    {
      output: "Traceback (most recent call last):\n1 failed in 0.1s",
      command: "python deploy.py",
      opening: "Python errors remain: ",
    },
    { output: "Traceback (most recent call last):\nboom", command: "pytest", opening: "Python errors remain: " },
    // The closing words of another runner.
    { output: "Traceback (most recent call last):\n1 failing", command: "pytest", opening: "Python errors remain: " },
    { output: "it said\nTraceback: boom", command: "python a.py", opening: "Python errors remain: " },
    { output: "it said no Traceback: boom", command: "python a.py", opening: "A command returned errors: " },
    { output: "Tracebacks", command: "python a.py", opening: "A command returned errors: " },
    { output: "MyImportError", command: "python a.py", opening: "A command returned errors: " },
    { output: "MySyntaxErrors", command: "python a.py", opening: "A command returned errors: " },
    { output: "SyntaxErrors", command: "python a.py", opening: "A command returned errors: " },
    { output: "ImportErrors", command: "python a.py", opening: "A command returned errors: " },
  ];
  test.for(rows)("$command: $output", ({ command, output, opening }) => {
    expect(observe([failed(command, { output })])).toEqual([
      `${opening}\`${command}\` failed; ${VERIFY[opening] ?? ""}.`,
    ]);
  });

  test("each kind once, in a fixed order", () => {
    const calls = [
      failed("make deploy"),
      failed("pytest", { output: "1 failed in 0.1s" }),
      failed("python a.py", { output: "ImportError" }),
    ];
    expect(observe(calls).map((text) => text.split(":")[0])).toEqual([
      "Import errors remain",
      "Test failures remain",
      "A command returned errors",
    ]);
  });
});

describe("a look at something that is not there is said, but is no failure to block for", () => {
  const blocks = (line: string) =>
    runHeuristics([], turnOf(failed(line, { exitCode: 2 })), {
      projectPath: PROJECT,
      workingSlug: null,
      agentName: "claude",
    })
      .findings.filter(({ check }) => check === "failed-command")
      .map(({ isFailure }) => isFailure);

  const looks = [
    "ls missing",
    "cat missing",
    "head missing",
    "tail missing",
    "stat missing",
    "file missing",
    "find missing",
    "which tool",
    "type tool",
    "pgrep daemon",
    "ps -p 1",
    "tree missing",
    "du missing",
    "wc missing",
    "readlink missing",
    "realpath missing",
    "cd src && ls missing | head -3",
  ];
  test.for(looks)("%s", (line) => {
    expect(blocks(line)).toEqual([false]);
  });

  test("beside one that is", () => {
    const calls = [failed("ls missing", { exitCode: 2 }), failed("make deploy")];
    const { findings } = runHeuristics([], turnOf(...calls), {
      projectPath: PROJECT,
      workingSlug: null,
      agentName: "claude",
    });
    expect(findings.filter(({ check }) => check === "failed-command")).toMatchObject([
      { isFailure: true, calls: [1, 2] },
    ]);
  });

  test.for(["make deploy", "ls missing && make deploy", "cd missing"])("%s is one", (line) => {
    expect(blocks(line)).toEqual([true]);
  });
});

describe("which command of a line is asked for again", () => {
  const trivial = [
    "cd src",
    "echo x",
    "printf x",
    "true",
    ":",
    "sleep 1",
    "export A=1",
    "set -x",
    "source .env",
    ". .env",
    "pushd src",
    "popd",
    "unset A",
    "umask 22",
    "ulimit -n 1",
  ];
  test.for(trivial)("not %s", (line) => {
    expect(observe([failed(`${line} && make deploy`), shell("make deploy")])).toEqual([]);
  });

  const rows: { turn: string; calls: ToolCallRecord[]; isOpen: boolean }[] = [
    { turn: "both of a chain", calls: [failed("make a && make b"), shell("make b")], isOpen: true },
    {
      turn: "both of a chain, each run again",
      calls: [failed("make a && make b"), shell("make b; make a"), shell("make b")],
      isOpen: false,
    },
    { turn: "only the one that decides", calls: [failed("make a; make b"), shell("make b")], isOpen: false },
    {
      turn: "all where none decides, each run again",
      calls: [failed("make a || make b"), shell("make a && make b")],
      isOpen: false,
    },
    { turn: "no redirection alone", calls: [failed("> out.txt && make a"), shell("make a")], isOpen: false },
    { turn: "no braces", calls: [failed("{ make a; } > out.txt"), shell("make a")], isOpen: false },
    { turn: "all where none decides", calls: [failed("make a || make b"), shell("make b")], isOpen: true },
    {
      turn: "a run that was refused is none",
      calls: [failed("make a"), failed("make a", { rejected: true })],
      isOpen: true,
    },
    {
      turn: "a run that goes on is none",
      calls: [failed("make a"), shell("make a", { hadError: null })],
      isOpen: true,
    },
  ];
  test.for(rows)("$turn", ({ calls, isOpen }) => {
    expect(observe(calls).length > 0).toBe(isOpen);
  });
});

describe("a search may find nothing", () => {
  const searches = [
    "grep a b",
    "egrep a b",
    "fgrep a b",
    "rg a",
    "ag a",
    "ack a",
    "diff a b",
    "cmp a b",
    "test -f a",
    "[ -f a ]",
    "[[ -f a ]]",
    "pgrep daemon",
    "git grep a",
    "git diff --exit-code",
  ];
  test.for(searches)("%s", (line) => {
    expect(observe([failed(line)])).toEqual([]);
    expect(observe([failed(line, { exitCode: null })])).toEqual([]);
    expect(observe([failed(line, { exitCode: 2 })])).toHaveLength(1);
  });

  test.for(["git push", "rg a && make b", "make diff", "cd a", "hg diff", "hg grep"])("%s is none", (line) => {
    expect(observe([failed(line)])).toHaveLength(1);
  });
});

describe("the files that a failure is about", () => {
  const named: { output?: string; command?: string; file: string }[] = [
    { command: "python tools/gen.py", file: "tools/gen.py" },
    { command: "pytest tests/a.py::test_x", file: "tests/a.py" },
    { command: "eslint src/a.ts:12:3", file: "src/a.ts" },
    { command: "eslint src/a.ts:1", file: "src/a.ts" },
    { command: "cc src/a.c", file: "src/a.c" },
    { command: "see src/a.svelte", file: "src/a.svelte" },
    { command: "cd tools && python gen.py", file: "tools/gen.py" },
    { command: "sed -i 's/a/b/' Makefile", file: "Makefile" },
    { output: '  File "src/b.py", line 3, in f', file: "src/b.py" },
    { output: `  File "${PROJECT}/src/b.py", line 3, in f`, file: "src/b.py" },
    { output: "FAILED tests/test_a.py::test_x - boom", file: "tests/test_a.py" },
    { output: "ERROR  tests/test_a.py", file: "tests/test_a.py" },
    { output: "src/x.c:12:3: error: expected ';'", file: "src/x.c" },
    { output: "error in (src/x.ts(12,3): no", file: "src/x.ts" },
    { output: "at 'lib/@scope/a+b-c.d.mjs:7'", file: "lib/@scope/a+b-c.d.mjs" },
    { output: "first\nx.c:1", file: "x.c" },
  ];
  test.for(named)("$command$output is about $file", ({ command = "make build", output = "", file }) => {
    expect(observe([failed(command, { output }), edit(file)])).toEqual([]);
    expect(observe([failed(command, { output }), edit(`other/${file}`)])).toHaveLength(1);
  });

  const notNamed: { output?: string; command?: string; file: string }[] = [
    { command: "tool --config=src/a.ts", file: "--config=src/a.ts" },
    { command: "curl https://host/a.json", file: "https:/host/a.json" },
    { command: "deploy 1.2", file: "1.2" },
    { command: "tools/gen.py", file: "gen.py" },
    { command: "see a.py-and-more", file: "a.py-and-more" },
    { command: "see a.abcdefg", file: "a.abcdefg" },
    { command: "make build", file: "build" },
    { command: "/opt/a.py", file: "opt/a.py" },
    { output: 'File "src/b.py" is missing', file: "src/b.py" },
    { output: "PASSED tests/test_a.py", file: "tests/test_a.py" },
    { output: "read src/x.c then", file: "src/x.c" },
    { output: "see src/x.toolong:1", file: "src/x.toolong" },
  ];
  test.for(notNamed)("$command$output is not about $file", ({ command = "make it", output = "", file }) => {
    expect(observe([failed(command, { output }), edit(file)])).toHaveLength(1);
  });

  const takenUp: { later: ToolCallRecord; is: boolean }[] = [
    { later: edit("a.py"), is: true },
    { later: write("a.py"), is: true },
    { later: shell("cat a.py"), is: true },
    { later: shell("cd sub && cat ../a.py"), is: true },
    { later: shell("make fix > a.py"), is: true },
    { later: shell("cat sub/a.py"), is: false },
    { later: shell("cd sub && cat a.py"), is: false },
    { later: edit("a.py", { files: ["b.py", "a.py"] }), is: true },
    { later: read("a.py"), is: false },
    { later: edit("a.py", { hadError: null }), is: false },
    { later: edit("a.py", { rejected: true }), is: false },
    { later: shell("a.py"), is: false },
  ];
  test.for(takenUp)("$later.toolName $later.command $later.files makes it good: $is", ({ later, is }) => {
    expect(observe([failed("python a.py"), later])).toHaveLength(is ? 0 : 1);
  });
});

const modes = [
  { mode: "require", said: [true], quiet: {} },
  { mode: "advise", said: [false], quiet: { "failed-command": "advise" } },
  { mode: "shadow", said: [], quiet: { "failed-command": "shadow" } },
  { mode: "off", said: [], quiet: {} },
] as const;
test.for(modes)("a failure in the mode $mode", ({ mode, said, quiet }) => {
  const context = { projectPath: PROJECT, workingSlug: null, modes: { "failed-command": mode } };
  const result = runHeuristics([], turnOf(failed("make deploy")), context);
  const failures = result.findings.filter(({ check }) => check === "failed-command");
  expect(failures.map(({ isFailure }) => isFailure)).toEqual(said);
  expect(result.quiet).toEqual(quiet);
});

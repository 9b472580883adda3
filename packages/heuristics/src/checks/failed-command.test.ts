import type { ToolCallRecord } from "@agent-checkpoint/transcript";
import { describe, expect, test } from "vitest";
import { runHeuristics } from "../run-heuristics.ts";
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
      says: ["A command returned errors: `grep foo missing` failed; verify that it now succeeds."],
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
      output: "Traceback (most recent call last):\nAssertionError\nFAILED (failures=1)",
      command: "python -m unittest",
      opening: "Test failures remain: ",
    },
    { output: "boom", command: "make deploy", opening: "A command returned errors: " },
  ];
  test.for(rows)("$command: $output", ({ command, output, opening }) => {
    const [text = ""] = observe([failed(command, { output })]);
    expect(text.startsWith(opening)).toBe(true);
    expect(text).toContain(`\`${command}\``);
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

test("a look at something that is not there is said, but is no failure to block for", () => {
  const findings = runHeuristics([], turnOf(failed("ls missing", { exitCode: 2 })), {
    projectPath: PROJECT,
    workingSlug: null,
    agentName: "claude",
  }).findings.filter(({ check }) => check === "failed-command");
  expect(findings.map(({ isFailure }) => isFailure)).toEqual([false]);
});

import { PRESETS, type Rules } from "@agent-checkpoint/categories";
import type { ToolCallRecord } from "@agent-checkpoint/transcript";
import { describe, expect, test } from "vitest";
import { runHeuristics } from "./weigh-turn.ts";
import { edit, failed, NO_TRANSCRIPT, PROJECT, read, shell, turnOf, write } from "./test-calls.ts";
import type { CheckpointContext } from "./types.ts";

const context: CheckpointContext = { projectPath: PROJECT, workingSlug: null, agentName: "claude" };
const DAEMON = "teleclaude/core/foo.py";

const RESTART = "Run `make restart` then `make status`";
const LOGS = "Run `instrukt-ai-logs teleclaude --since 2m` and check for errors";
const TESTS = "Run targeted tests for changed behavior";

const judge = (files: readonly string[], calls: readonly ToolCallRecord[]) =>
  runHeuristics(files, turnOf(...calls), context);

describe("what the changed files ask for", () => {
  const rows = [
    { files: [DAEMON], actions: [RESTART, LOGS, TESTS] },
    { files: ["teleclaude/hooks/receiver.py"], actions: [LOGS, TESTS] },
    {
      files: ["teleclaude/cli/tui/app.py"],
      actions: ["Run `pkill -SIGUSR2 -f -- '-m teleclaude.cli.telec$'`", LOGS, TESTS],
    },
    {
      files: ["teleclaude/project_setup/hooks.py"],
      actions: ["Run `telec init` (setup changed: watchers, hook installers, or git filters)", RESTART, LOGS, TESTS],
    },
    {
      files: [".gitattributes"],
      actions: ["Run `telec init` (setup changed: watchers, hook installers, or git filters)", LOGS],
    },
    { files: ["agents/skills/foo/SKILL.md"], actions: ["Run agent-restart to reload artifacts", LOGS] },
    { files: ["config.yml"], actions: [RESTART, LOGS] },
    { files: ["pyproject.toml"], actions: ["Install updated dependencies: `pip install -e .`", LOGS] },
    { files: ["docs/foo.md"], actions: [LOGS] },
    { files: [], actions: [LOGS] },
    { files: ["tests/test_a.py"], actions: [LOGS, "Run targeted tests for changed behavior before commit"] },
    { files: ["tests/test_a.py", DAEMON], actions: [RESTART, LOGS, TESTS] },
    { files: ["Makefile"], actions: [LOGS, TESTS] },
  ];
  test.for(rows)("$files", ({ files, actions }) => {
    expect(runHeuristics(files, NO_TRANSCRIPT, context).requiredActions).toEqual(actions);
  });

  test("everything at once stands in the fixed precedence, each action once", () => {
    const files = [
      "tests/test_a.py",
      "agents/x.md",
      "teleclaude/cli/tui/app.py",
      "config.yml",
      DAEMON,
      "requirements.txt",
      ".husky/pre-commit",
    ];
    expect(runHeuristics(files, NO_TRANSCRIPT, context).actions.map(({ id }) => id)).toEqual([
      "telec-init",
      "install-dependencies",
      "restart-daemon",
      "reload-tui",
      "restart-agents",
      "check-logs",
      "tests",
    ]);
  });
});

describe("evidence takes an action away", () => {
  const rows: { turn: string; files?: string[]; calls: ToolCallRecord[]; asks: string[] }[] = [
    { turn: "nothing was run", calls: [edit(DAEMON)], asks: ["restart-daemon", "check-logs", "tests"] },
    {
      turn: "restarted, with status",
      calls: [edit(DAEMON), shell("make restart && make status")],
      asks: ["check-logs", "tests"],
    },
    { turn: "restart and status as two targets", calls: [shell("make restart status")], asks: ["check-logs", "tests"] },
    {
      turn: "status before restart",
      calls: [shell("make status"), shell("make restart")],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "status, but after an earlier restart",
      calls: [shell("make restart"), shell("make status"), shell("make restart")],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    { turn: "logs read", calls: [shell("instrukt-ai-logs teleclaude --since 5m")], asks: ["restart-daemon", "tests"] },
    { turn: "tests run", calls: [shell("uv run pytest -q tests/a.py")], asks: ["restart-daemon", "check-logs"] },
    {
      turn: "tests run by a sub-agent",
      calls: [shell("pytest", { by: "subagent" })],
      asks: ["restart-daemon", "check-logs"],
    },
    { turn: "make test", calls: [shell("make test")], asks: ["restart-daemon", "check-logs"] },
    { turn: "tests failed", calls: [failed("pytest")], asks: ["restart-daemon", "check-logs", "tests"] },
    {
      turn: "tests still running",
      calls: [shell("pytest", { hadError: null })],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "tests refused by the user",
      calls: [shell("pytest", { rejected: true })],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "tests only mentioned",
      calls: [shell("echo pytest; grep -r pytest .")],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "tests in a commit message",
      calls: [shell("git commit -m 'ran pytest'")],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "tests in a heredoc",
      calls: [shell("cat > n.txt <<EOF\npytest\nEOF")],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "tests piped, no summary",
      calls: [shell("pytest | tail -3", { output: "..." })],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "tests piped, passing summary",
      calls: [shell("pytest 2>&1 | tail -3", { output: "5 passed in 1.00s" })],
      asks: ["restart-daemon", "check-logs"],
    },
    {
      turn: "tests or true, failing summary",
      calls: [shell("pytest || true", { output: "1 failed in 1.00s" })],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "tests in another project",
      calls: [shell("cd /home/dev/other && pytest")],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    { turn: "tests in a subfolder", calls: [shell("cd teleclaude && pytest")], asks: ["restart-daemon", "check-logs"] },
    {
      turn: "tests before the last edit",
      calls: [shell("pytest"), edit(DAEMON)],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "tests before an edit by absolute path",
      calls: [shell("pytest"), edit(`${PROJECT}/${DAEMON}`)],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "tests before an edit that failed",
      calls: [shell("pytest"), edit(DAEMON, { hadError: true }), edit("docs/a.md")],
      asks: ["restart-daemon", "check-logs"],
    },
    {
      turn: "tests before a document",
      calls: [shell("pytest"), write("docs/a.md")],
      asks: ["restart-daemon", "check-logs"],
    },
    {
      turn: "tests before sed -i",
      calls: [shell("pytest"), shell(`sed -i s/a/b/ ${DAEMON}`)],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "tests before sed -i in the same line",
      calls: [shell(`pytest && sed -i s/a/b/ ${DAEMON}`)],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "sed -i before tests in the same line",
      calls: [shell(`sed -i s/a/b/ ${DAEMON} && pytest`)],
      asks: ["restart-daemon", "check-logs"],
    },
    {
      turn: "tests before a redirect",
      calls: [shell("pytest"), shell(`echo x > ${DAEMON}`)],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "tests before a checkout",
      calls: [shell("pytest"), shell(`git checkout -- ${DAEMON}`)],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "tests whose output goes to a file",
      calls: [shell("pytest > out.log")],
      asks: ["restart-daemon", "check-logs"],
    },
    {
      turn: "a person's change while a command ran that only looks, which the agent reports for it",
      calls: [shell("pytest"), shell(`cat ${DAEMON}`, { files: [`${PROJECT}/${DAEMON}`] })],
      asks: ["restart-daemon", "check-logs"],
    },
    {
      turn: "a change the agent reports for a shell command",
      calls: [shell("pytest"), shell("python codemod.py", { files: [`${PROJECT}/${DAEMON}`] })],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "restart before the last daemon edit, tests after",
      calls: [shell("make restart && make status"), edit(DAEMON), shell("pytest")],
      asks: ["restart-daemon", "check-logs"],
    },
    {
      turn: "restart before an edit of another category",
      files: [DAEMON, "agents/x.md"],
      calls: [edit(DAEMON), shell("make restart && make status"), edit("agents/x.md")],
      asks: ["restart-agents", "check-logs", "tests"],
    },
    {
      turn: "restart before an edit that asks only for tests",
      files: [DAEMON, "teleclaude/hooks/a.py"],
      calls: [edit(DAEMON), shell("make restart && make status"), edit("teleclaude/hooks/a.py")],
      asks: ["check-logs", "tests"],
    },
    {
      turn: "restart at the end of a long line, before the last edit",
      calls: [shell("ls; ls; ls; make restart && make status"), edit(DAEMON)],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "tests before a command that failed after it wrote",
      calls: [shell("pytest"), failed(`sed -i s/a/b/ ${DAEMON} && make x`)],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "tests piped, closed by the words of another runner",
      calls: [shell("pytest | tail -3", { output: "OK" })],
      asks: ["restart-daemon", "check-logs", "tests"],
    },
    {
      turn: "TUI reloaded",
      files: ["teleclaude/cli/tui/app.py"],
      calls: [shell("pkill -USR2 -f telec")],
      asks: ["check-logs", "tests"],
    },
    {
      turn: "tests before a file without a rule",
      files: ["Makefile"],
      calls: [shell("instrukt-ai-logs teleclaude"), shell("pytest"), edit("Makefile")],
      asks: ["check-logs", "tests"],
    },
    {
      turn: "tests after a file without a rule",
      files: ["Makefile"],
      calls: [edit("Makefile"), shell("instrukt-ai-logs teleclaude"), shell("pytest")],
      asks: [],
    },
    {
      turn: "restart before a file without a rule",
      files: ["config.yml", "Makefile"],
      calls: [shell("make restart && make status"), edit("Makefile")],
      asks: ["check-logs", "tests"],
    },
    {
      turn: "tests before a change that asks for none",
      calls: [shell("pytest"), edit("config.yml"), edit("agents/x.md")],
      asks: ["restart-daemon", "check-logs"],
    },
    { turn: "dependencies synced", files: ["pyproject.toml"], calls: [shell("uv sync")], asks: ["check-logs"] },
    { turn: "setup run", files: [".gitattributes"], calls: [shell("telec init")], asks: ["check-logs"] },
    { turn: "agents restarted", files: ["agents/x.md"], calls: [shell("agent-restart")], asks: ["check-logs"] },
  ];
  test.for(rows)("$turn", ({ files = [DAEMON], calls, asks }) => {
    expect(judge(files, calls).actions.map(({ id }) => id)).toEqual(asks);
  });

  test("a restart without a later status asks only for the status", () => {
    const result = judge(["config.yml"], [shell("make restart"), shell("instrukt-ai-logs teleclaude")]);
    expect(result.requiredActions).toEqual(["Run `make status`"]);
    expect(result.observations).toEqual(["`make restart` was run but `make status` was not observed after it."]);
  });
});

describe("an action that is missing says why", () => {
  const rows = [
    { turn: "absent", calls: [], says: "Daemon code was modified but `make restart` was not observed this turn." },
    {
      turn: "stale",
      calls: [shell("make restart && make status"), edit(DAEMON)],
      says: "Daemon code was modified after `make restart` was last seen.",
    },
    {
      turn: "failed",
      calls: [failed("make restart")],
      says: "Daemon code was modified but `make restart` did not succeed this turn.",
    },
    {
      turn: "masked",
      calls: [shell("make restart || true")],
      says: "Daemon code was modified but the exit status of `make restart` was masked, so its success was not observed this turn.",
    },
    {
      turn: "running",
      calls: [shell("make restart", { hadError: null })],
      says: "Daemon code was modified but `make restart` was not seen to finish this turn.",
    },
  ];
  test.for(rows)("$turn", ({ calls, says }) => {
    expect(judge([DAEMON], calls).observations).toContain(says);
  });

  test("several categories that ask for one action share a sentence", () => {
    expect(judge([DAEMON, "config.yml"], []).observations).toEqual([
      "Daemon code and config were modified but `make restart` was not observed this turn.",
      "`instrukt-ai-logs` was not observed this turn.",
      "Daemon code was modified but `pytest` was not observed this turn.",
    ]);
  });

  const subjects = [
    {
      files: ["pyproject.toml"],
      says: "Dependencies were modified but `pip install -e .` was not observed this turn.",
    },
    { files: ["Makefile"], says: "Files without a rule were modified but `pytest` was not observed this turn." },
    {
      files: [DAEMON, "Makefile"],
      says: "Daemon code and files without a rule were modified but `pytest` was not observed this turn.",
    },
    {
      files: [DAEMON, "teleclaude/hooks/a.py", "teleclaude/cli/tui/app.py", "config.yml"],
      says: "Daemon code, TUI code and hook runtime code were modified but `pytest` was not observed this turn.",
    },
    {
      files: [".gitattributes", "teleclaude/project_setup/a.py"],
      says: "Telec setup and daemon code were modified but `pytest` was not observed this turn.",
    },
    {
      files: [DAEMON, "Makefile", "teleclaude/cli/tui/app.py"],
      says: "TUI code was modified but `pkill -SIGUSR2` was not observed this turn.",
    },
  ];
  test.for(subjects)("$says", ({ files, says }) => {
    expect(judge(files, []).observations).toContain(says);
  });

  test("what every stop asks for is not asked for by files", () => {
    expect(judge([], [shell("instrukt-ai-logs teleclaude"), edit(DAEMON)]).observations).toContain(
      "Files were changed after `instrukt-ai-logs` was last seen.",
    );
    expect(judge([], [shell("instrukt-ai-logs teleclaude || true")]).observations).toEqual([
      "The exit status of `instrukt-ai-logs` was masked, so its success was not observed this turn.",
    ]);
  });

  test("of an action of many steps those are asked for that are left", () => {
    const steps = ["make a", "make b", "make c"].map((run) => ({ run, evidence: [run] }));
    const rules: Rules = {
      ...PRESETS.generic,
      actions: [{ id: "deploy", stage: "prepare", instruction: "Deploy", steps }],
      baseline: ["deploy"],
    };
    const left = (...calls: ToolCallRecord[]) =>
      runHeuristics([], turnOf(...calls), { ...context, rules }).requiredActions;
    expect([left(), left(shell("make a")), left(shell("make a && make b")), left(shell("make a b c"))]).toEqual([
      ["Deploy"],
      ["Run `make b` then `make c`"],
      ["Run `make c`"],
      [],
    ]);
  });

  test("in a turn that could not be read whole, what was seen is still said", () => {
    const timeline = { ...turnOf(failed("make restart")), isWhole: false };
    expect(runHeuristics(["config.yml"], timeline, context).findings).toMatchObject([
      {
        check: "verification-gap",
        text: "Config was modified but `make restart` did not succeed this turn.",
        isFailure: false,
        calls: [1],
      },
      { check: "failed-command" },
    ]);
  });

  test("without a transcript there are the actions of the files and nothing about evidence", () => {
    const result = runHeuristics([DAEMON], NO_TRANSCRIPT, context);
    expect(result.requiredActions).toEqual([RESTART, LOGS, TESTS]);
    expect(result.observations).toEqual([]);
  });

  test("in a turn that could not be read whole, absence proves nothing", () => {
    for (const unknown of [{ isWhole: false }, { prompt: null }]) {
      const result = runHeuristics([DAEMON], { ...turnOf(), ...unknown }, context);
      expect(result.requiredActions).toEqual([RESTART, LOGS, TESTS]);
      expect(result.observations).toEqual([]);
    }
  });
});

describe("the categories of the verdict", () => {
  const rows = [
    { files: [DAEMON, "config.yml"], categories: ["daemon-code", "config"], isCaptureOnly: false },
    { files: ["tests/test_a.py"], categories: ["tests-only"], isCaptureOnly: false },
    { files: ["tests/test_a.py", DAEMON], categories: ["daemon-code"], isCaptureOnly: false },
    { files: ["tests/test_a.py", "config.yml"], categories: ["config", "tests-only"], isCaptureOnly: false },
    { files: ["Makefile"], categories: [], isCaptureOnly: false },
    { files: ["docs/a.md"], categories: [], isCaptureOnly: true },
    { files: [], categories: [], isCaptureOnly: true },
  ];
  test.for(rows)("$files: $categories", ({ files, ...verdict }) => {
    expect(judge(files, [])).toMatchObject(verdict);
  });
});

test("without files and without a transcript there is nothing to say", () => {
  expect(runHeuristics([], NO_TRANSCRIPT, context).findings).toEqual([]);
});

describe("all clear", () => {
  const done = [shell("make restart && make status"), shell("instrukt-ai-logs teleclaude --since 2m"), shell("pytest")];

  test("everything expected was done", () => {
    const { requiredActions, observations, isAllClear } = judge([DAEMON], [read(DAEMON), edit(DAEMON), ...done]);
    expect({ requiredActions, observations, isAllClear }).toEqual({
      requiredActions: [],
      observations: [],
      isAllClear: true,
    });
  });

  const never = [
    { why: "a file has no rule", files: [DAEMON, "Makefile"], calls: done },
    { why: "no code changed", files: ["docs/a.md"], calls: done },
    { why: "something is worth saying", files: [DAEMON], calls: [edit(DAEMON), ...done] },
    { why: "an action is missing", files: [DAEMON], calls: done.slice(1) },
  ];
  test.for(never)("not when $why", ({ files, calls }) => {
    expect(judge(files, calls).isAllClear).toBe(false);
  });
});

describe("the log window", () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, 0) + minutes * 60_000);
  const rows = [
    { title: "rounded up to whole minutes", promptAt: at(0), now: at(4.2), window: "5m" },
    { title: "whole minutes stay", promptAt: at(0), now: at(7), window: "7m" },
    { title: "at least two", promptAt: at(0), now: at(0.5), window: "2m" },
    { title: "a clock that went back", promptAt: at(9), now: at(0), window: "2m" },
    { title: "unknown prompt time", promptAt: null, now: at(9), window: "2m" },
    { title: "unknown time of the stop", promptAt: at(0), now: undefined, window: "2m" },
    { title: "a time that is none", promptAt: new Date(Number.NaN), now: at(9), window: "2m" },
  ];
  test.for(rows)("$title", ({ promptAt, now, window }) => {
    const result = runHeuristics([], NO_TRANSCRIPT, { ...context, promptAt, now });
    expect(result.requiredActions).toEqual([
      `Run \`instrukt-ai-logs teleclaude --since ${window}\` and check for errors`,
    ]);
  });

  test("the transcript's own prompt time serves where none is given", () => {
    const timeline = { ...turnOf(), prompt: { offset: 0, digest: "", timestamp: at(0), id: null } } as ReturnType<
      typeof turnOf
    >;
    expect(runHeuristics([], timeline, { ...context, now: at(10) }).requiredActions[0]).toContain("--since 10m");
  });
});

describe("names that every object has", () => {
  const names = ["constructor", "toString", "__proto__", "hasOwnProperty"];
  test.for(names)("%s as a program is a program like any other", (name) => {
    const calls = [failed(`${name} x`), shell(`${name} test`), failed(name)];
    expect(judge([DAEMON], calls).actions.map(({ id }) => id)).toEqual(["restart-daemon", "check-logs", "tests"]);
  });
});

describe("checks can be switched off", () => {
  test("a check that is off says nothing", () => {
    const rules = {
      ...PRESETS.teleclaude,
      checks: { ...PRESETS.teleclaude.checks, "edit-without-read": false, "verification-gap": false },
    };
    const result = runHeuristics([DAEMON], turnOf(edit(DAEMON)), { ...context, rules });
    expect(result).toMatchObject({ observations: [], isAllClear: false });
  });
});

describe("the generic preset", () => {
  const generic = { ...context, rules: PRESETS.generic };
  test("asks for tests when code changed", () => {
    expect(runHeuristics(["src/a.ts"], turnOf(), generic).requiredActions).toEqual([TESTS]);
  });
  const runners = [
    { file: "src/a.ts", command: "npm test" },
    { file: "src/a.ts", command: "pnpm run test" },
    { file: "src/a.ts", command: "npx vitest run" },
    { file: "src/a.rs", command: "cargo test" },
    { file: "src/a.go", command: "go test ./..." },
    { file: "src/a.ts", command: "make check" },
    { file: "src/a.rb", command: "bundle exec rspec" },
  ];
  test.for(runners)("$command proves $file", ({ file, command }) => {
    expect(runHeuristics([file], turnOf(shell(command)), generic).requiredActions).toEqual([]);
  });
  test("says so in words, as there are many ways to run tests", () => {
    expect(runHeuristics(["src/a.ts"], turnOf(), generic).observations).toEqual([
      "Code was modified but a run of the tests was not observed this turn.",
    ]);
  });
  test("asks for nothing when only manifests or configuration changed", () => {
    expect(runHeuristics(["package.json", "tsconfig.json"], turnOf(), generic).requiredActions).toEqual([]);
  });
});

import { PRESETS, resolveRules } from "@agent-checkpoint/categories";
import { describe, expect, test } from "vitest";
import { runHeuristics } from "./weigh-turn.ts";
import { edit, failed, other, PROJECT, read, shell, turnOf, write } from "./test-calls.ts";
import { readTurn } from "./turn/read-turn.ts";
import type { CheckpointContext, RepositoryFacts } from "./types.ts";

const context: CheckpointContext = {
  projectPath: PROJECT,
  workingSlug: null,
  agentName: "claude",
  rules: PRESETS.generic,
};

const FACTS: RepositoryFacts = {
  projects: [
    { folder: "", language: "javascript" },
    { folder: "packages/crypto", language: "javascript" },
    { folder: "apps/api", language: "javascript" },
    { folder: "website", language: "javascript" },
  ],
  testFolders: { javascript: ["packages/crypto/src", "apps/api/test", "src"], php: ["tests"], rust: ["tests"] },
  commands: [
    { command: "npm test", folder: "", kind: "test", languages: ["javascript"], runs: "vitest run", name: "test" },
  ],
};

/** What a stop would be blocked for: missing actions and failures. */
const reasons = (file: string, calls: Parameters<typeof turnOf>, more: Partial<CheckpointContext> = {}) => {
  const { actions, findings } = runHeuristics([file], turnOf(...calls), { ...context, ...more });
  return [...actions.map(({ id }) => id), ...findings.filter(({ isFailure }) => isFailure).map(({ check }) => check)];
};

const GREEN_GO = "ok  \tgithub.com/x/y\t0.012s";
const GREEN_BUN = " 1351 pass\n 0 fail\n 2795 expect() calls\nRan 1351 tests across 58 files. [755.00ms]";
const RED_PYTEST = "1 failed, 4 passed in 0.12s";
const GREEN_PYTEST = "5 passed in 0.12s";
const RED_CARGO = "test result: FAILED. 4 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";
const GREEN_CARGO = "test result: ok. 50 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s";

describe("a green run counts, whoever started it", () => {
  const rows = [
    {
      cause: "a task runner",
      file: "src/a.go",
      calls: [shell("mise run fmt && mise run test:ci 2>&1", { output: GREEN_GO })],
    },
    {
      cause: "a wrapper that failed, then the command",
      file: "src/a.ts",
      calls: [
        failed("rtk bun run test", { exitCode: 2, output: "error: unrecognized subcommand 'bun'" }),
        shell("bun run test", { output: GREEN_BUN }),
      ],
    },
    {
      cause: "the same tests with other words",
      file: "src/a.ts",
      calls: [
        failed("npm test -s"),
        shell("npm run -s test -- --pool=threads", { output: "      Tests  30 passed (30)" }),
      ],
    },
    {
      cause: "code mode without an exit code",
      file: "src/a.rs",
      calls: [shell("cargo fmt && cargo test lockfile", { hadError: null, exitCode: null, output: GREEN_CARGO })],
    },
    {
      cause: "a call with wrong arguments, then each of them",
      file: "src/a.rs",
      calls: [
        failed("cargo test one two --lib", { output: "error: unexpected argument 'two' found\n\nUsage: cargo test" }),
        shell("cargo test one", { output: GREEN_CARGO }),
        shell("cargo test two", { output: GREEN_CARGO }),
      ],
    },
    {
      cause: "the same tests, one at a time",
      file: "src/a.rs",
      calls: [
        failed("cargo test", { exitCode: 101, output: RED_CARGO }),
        shell("cargo test -- --test-threads=1", { output: GREEN_CARGO }),
      ],
    },
    {
      cause: "a task in the background behind a pipe, read later",
      file: "src/a.ts",
      calls: [shell("pnpm test 2>&1 | tail -20", { output: "      Tests  30 passed (30)" })],
    },
    { cause: "a wrapper", file: "src/a.ts", calls: [shell("fnm exec --using=24 -- corepack pnpm exec vitest run")] },
    { cause: "a wrapper with a word of its own", file: "src/a.ts", calls: [shell("rtk test bun run test")] },
    { cause: "a wrapper around a script", file: "src/a.ts", calls: [shell("corepack pnpm run test")] },
    {
      cause: "a package's runner, the end of its output",
      file: "src/a.ts",
      calls: [shell("pnpm --filter api exec jest | tail -30", { output: "Tests:       6 passed, 6 total" })],
    },
    {
      cause: "a runner by the path of its file",
      file: "src/a.ts",
      calls: [shell("node node_modules/.pnpm/mocha@11/node_modules/mocha/bin/mocha.js")],
    },
    {
      cause: "a filter that shows only failures",
      file: "src/a.go",
      calls: [
        shell('go test ./... 2>&1 | grep -vE "^ok|no test files" | head; echo "=== clean ==="', {
          output: "=== clean ===",
        }),
      ],
    },
    {
      cause: "a filter that drops the good lines, and leaves what has no tests",
      file: "src/a.go",
      calls: [shell('go test ./... 2>&1 | grep -v "^ok"', { output: "?   \tgithub.com/x/y/build\t[no test files]" })],
    },
    {
      cause: "a printed exit status",
      file: "src/a.ts",
      calls: [shell('npm test >o 2>&1; echo "exit: $?"', { output: "exit: 0" })],
    },
    {
      cause: "tests before a lint that failed",
      file: "src/a.ts",
      calls: [
        failed("bun run test && bun run lint", { output: `${GREEN_BUN}\nerror: script "lint" exited with code 1` }),
      ],
    },
    {
      cause: "a commit through a hook that shows its tests",
      file: "src/a.ts",
      calls: [shell("git commit -m x", { output: GREEN_BUN })],
    },
    {
      cause: "a commit through pre-commit, which tells only how each hook ended",
      file: "src/a.py",
      calls: [shell("git commit -m x", { output: `${"unit tests".padEnd(73, ".")}Passed\n[main 20e7dbe] x` })],
    },
    {
      cause: "a run on another machine",
      file: "src/a.go",
      calls: [shell('rsync -az ./ build:app/ && ssh -p 22 build "cd app && go test ./..."', { output: GREEN_GO })],
    },
    {
      cause: "a watcher in a terminal that the agent looks at",
      file: "src/a.ts",
      calls: [shell("sleep 4; tmux capture-pane -p -t tests | tail -12", { output: GREEN_BUN })],
    },
    { cause: "a smoke test", file: "lib/a.js", calls: [shell("bash checks/smoke.sh", { output: "parse ... OK\nOK" })] },
    {
      cause: "no failure among the events that are kept",
      file: "src/a.go",
      calls: [shell(`go test -json ./... | jq -r 'select(.Action=="fail") | .Test'`)],
    },
    {
      cause: "what a sub-agent says about its run",
      file: "src/a.ts",
      calls: [other("Task", { kind: "agent", output: "I ran `npm test`. All 14 tests pass. No type errors." })],
    },
  ];
  test.for(rows)("$cause", ({ file, calls }) => {
    expect(reasons(file, [edit(file), ...calls])).toEqual([]);
  });

  test("an edit that answers a linter does not make tests stale", () => {
    const calls = [
      edit("src/a.ts"),
      shell("bun run test", { output: GREEN_BUN }),
      failed("bun run lint", { output: "Found 1 error." }),
      edit("src/a.ts"),
      shell("bun run lint"),
    ];
    expect(reasons("src/a.ts", calls)).toEqual([]);
    expect(reasons("src/a.ts", calls.slice(0, 4))).toEqual(["tests"]);
    // Where only the linter was answered, nothing was to be tested; where more was changed, it was.
    expect(reasons("src/a.ts", calls.slice(2))).toEqual([]);
    expect(reasons("src/a.ts", [edit("src/a.ts"), ...calls.slice(2)])).toEqual(["tests"]);
    // What makes the compiler content may change what the program does.
    const typed = [failed("npx tsc"), edit("src/a.ts"), shell("npx tsc")];
    expect(reasons("src/a.ts", typed)).toEqual(["tests"]);
    expect(reasons("src/a.ts", [edit("src/a.ts"), shell("npm test"), ...typed])).toEqual(["tests"]);
  });

  test("a comment does not make them stale, and asks for nothing by itself", () => {
    const comment = edit("src/a.ts", {
      inputData: { old_string: "// one\nconst a = 1;", new_string: "// two\nconst a = 1;" },
    });
    expect(reasons("src/a.ts", [edit("src/a.ts"), shell("npm test"), comment])).toEqual([]);
    expect(reasons("src/a.ts", [comment])).toEqual([]);
  });

  const replacing = (before: string, after: string) =>
    edit("src/a.py", { inputData: { old_string: before, new_string: after } });

  test.for([
    { cause: "taken out again beside a change that was tested", before: "rows = few()\n    print(rows)", is: [] },
    {
      cause: "taken out with a line of the program",
      before: "rows = few()\n    print(rows)\n    save()",
      is: ["tests"],
    },
  ])("a print for debugging, $cause", ({ before, is }) => {
    const calls = [
      replacing("rows = all()", "rows = all()\n    print(rows)"),
      replacing("all()", "few()"),
      shell("pytest", { output: GREEN_PYTEST }),
      replacing(before, "rows = few()"),
    ];
    expect(reasons("src/a.py", calls)).toEqual(is);
  });

  test("a line of the program is no print: taking it out makes tests stale", () => {
    const calls = [
      replacing("rows = all()", "rows = all()\n    rows.sort()"),
      replacing("all()", "few()"),
      shell("pytest", { output: GREEN_PYTEST }),
      replacing("rows = few()\n    rows.sort()", "rows = few()"),
    ];
    expect(reasons("src/a.py", calls)).toEqual(["tests"]);
  });

  test.for([
    { before: '__version__ = "0.9.1"', after: '__version__ = "0.10.0"', is: [] },
    { before: 'VERSION = "1.2.3-rc.1"', after: 'VERSION = "1.2.3"', is: [] },
    { before: 'LIMIT = "0.9.1"', after: 'LIMIT = "0.10.0"', is: ["tests"] },
    { before: 'version = "1.0.0"\nsteps = 1', after: 'version = "1.0.1"\nsteps = 2', is: ["tests"] },
  ])("the number of a version is no code: $before, $after: $is", ({ before, after, is }) => {
    expect(reasons("src/a.py", [replacing(before, after)])).toEqual(is);
  });

  test("a file that was broken to see its test fail, and restored, is as it was", () => {
    const probe = failed("cp src/a.go /tmp/a.bak && sed -i s/a/b/ src/a.go && go test ./...", {
      output: "--- FAIL: TestA\nFAIL\nFAIL\tx/y\t0.1s",
    });
    const calls = [
      edit("src/a.go"),
      shell("go test ./...", { output: GREEN_GO }),
      probe,
      shell("cp /tmp/a.bak src/a.go"),
    ];
    expect(reasons("src/a.go", calls)).toEqual([]);
  });
});

describe("the last words of a build tool", () => {
  const rows = [
    { file: "a.java", line: "./gradlew testDebugUnitTest | tail -3", output: "BUILD SUCCESSFUL in 12s", is: [] },
    { file: "a.java", line: "./gradlew testDebugUnitTest | tail -3", output: "34 actionable tasks", is: ["tests"] },
    { file: "a.java", line: "./gradlew test | head -3", output: "BUILD SUCCESSFUL in 12s", is: ["tests"] },
    { file: "a.java", line: "mvn verify | tail -4", output: "[INFO] BUILD SUCCESS\n[INFO] Total time:  4 s", is: [] },
    { file: "a.ts", line: "pnpm test | tail -2", output: " Tasks:    3 successful, 3 total\nCached:    2", is: [] },
    { file: "a.ts", line: "pnpm test | tail -2", output: " Tasks:    2 successful, 3 total", is: ["tests"] },
    { file: "a.rb", line: "bin/ci | tail -2", output: "✅ Continuous Integration passed in 14.90s", is: [] },
    { file: "a.rb", line: "bin/ci | tail -2", output: "❌ Continuous Integration failed in 9s", is: ["tests"] },
    { file: "a.py", line: "nox -s tests | tail -1", output: "nox > Session tests was successful.", is: [] },
  ];
  test.for(rows)("$line, $output", ({ file, line, output, is }) => {
    expect(reasons(`src/${file}`, [edit(`src/${file}`), shell(line, { output })])).toEqual(is);
  });
});

describe("tests that a third-party tool runs without a report", () => {
  const rows = [
    { tool: "mcp__XcodeBuildMCP__test_sim", output: "✅ Test Run succeeded. Failed: 0", is: [] },
    { tool: "mcp__XcodeBuildMCP__test_sim", output: "❌ 2 tests failed", is: ["tests"] },
    { tool: "mcp__UnityMCP__run_tests", output: '{"message":"12/12 passed","errors":0,"failed":0}', is: [] },
    { tool: "mcp__UnityMCP__run_tests", output: '{"message":"11/12 passed","failed":1}', is: ["tests"] },
    { tool: "mcp__XcodeBuildMCP__build_sim", output: "✅ Build succeeded", is: ["tests"] },
    { tool: "mcp__ide__list_tests", output: "12 tests", is: ["tests"] },
  ];
  test.for(rows)("$tool, $output", ({ tool, output, is }) => {
    expect(reasons("src/a.swift", [edit("src/a.swift"), other(tool, { output })])).toEqual(is);
  });
});

describe("CI that was seen to pass", () => {
  const push = shell("git commit -am x && git push");
  const watch = shell("gh run watch 12 --exit-status");
  const rows = [
    { cause: "after the push", calls: [edit("src/a.ts"), push, watch], is: [] },
    {
      cause: "checks of a pull request",
      calls: [edit("src/a.ts"), push, shell("sleep 60; gh pr checks 3", { output: "test\tpass\t1m\turl" })],
      is: [],
    },
    { cause: "without a push", calls: [edit("src/a.ts"), watch], is: ["tests"] },
    { cause: "before another edit", calls: [edit("src/a.ts"), push, edit("src/a.ts"), watch], is: ["tests"] },
    {
      cause: "a run that failed, watched without its status",
      calls: [edit("src/a.ts"), push, shell("gh run watch 12", { output: "X main CI · 12\n✓ build in 4s" })],
      is: ["tests"],
    },
  ];
  test.for(rows)("$cause: $is", ({ calls, is }) => {
    expect(reasons("src/a.ts", calls)).toEqual(is);
  });
});

describe("runs while the changes are stashed", () => {
  const red = (failures: number) => `${failures} failed, 23 passed in 1.80s`;
  const stashed = (output: string) => shell("git stash -q; pytest | tail -3; git stash pop -q", { output });
  const rows = [
    { cause: "no more failures than without the changes", with: red(1), without: red(1), is: [] },
    { cause: "one more failure", with: red(2), without: red(1), is: ["tests", "failed-command"] },
    { cause: "green without the changes", with: red(1), without: GREEN_PYTEST, is: ["tests", "failed-command"] },
  ];
  test.for(rows)("$cause: $is", (row) => {
    const calls = [edit("src/a.py"), shell("pytest | tail -3", { output: row.with }), stashed(row.without)];
    expect(reasons("src/a.py", calls)).toEqual(row.is);
  });

  test("alone they prove nothing", () => {
    expect(reasons("src/a.py", [edit("src/a.py"), stashed(GREEN_PYTEST)])).toEqual(["tests"]);
  });
});

test("a type check has to do where the tests cannot reach a service they need", () => {
  const tried = (output: string) =>
    reasons("src/a.ts", [edit("src/a.ts"), failed("npm test", { output }), shell("npx tsc --noEmit")]);
  const none = " Test Files  no tests\n      Tests  no tests";
  expect(tried(`Error: connect ECONNREFUSED 127.0.0.1:5432\n${none}`)).toEqual([]);
  expect(tried(none)).toEqual(["tests"]);
});

test("an option of a program that is run by hand does not make it a listing", () => {
  const repository = { ...FACTS, projects: [{ folder: "", language: "go" }], testFolders: { go: ["internal"] } };
  const run = (line: string) => reasons("cmd/main.go", [edit("cmd/main.go"), shell(line)], { repository });
  expect(run("go run ./cmd --version")).toEqual([]);
  expect(run("go test ./... -list .")).toEqual(["tests"]);
});

test("a script is what the repository declares it as, whatever its name", () => {
  const check = { folder: "", kind: "types", languages: ["javascript"], runs: "svelte-check" };
  const repository = { ...FACTS, commands: [{ ...check, command: "npm run check", name: "check" }] };
  const page = "src/routes/+page.svelte";
  expect(reasons(page, [edit(page), shell("npm run check")], { repository })).toEqual([]);
  expect(reasons("src/a.ts", [edit("src/a.ts"), shell("npm run check")], { repository })).toEqual(["tests"]);
});

test("a docstring asks for nothing", () => {
  const before = "def f(x):\n    return x";
  const documented = 'def f(x):\n    """Returns x.\n\n    Really."""\n    return x';
  const to = (after: string) => edit("src/a.py", { inputData: { old_string: before, new_string: after } });
  expect(reasons("src/a.py", [to(documented)])).toEqual([]);
  expect(reasons("src/a.py", [to('def f(x):\n    y = """x"""\n    return x')])).toEqual(["tests"]);
});

test("tests that lack their browser are no failure", () => {
  const output = "Error: browserType.launch: Executable doesn't exist at /root/.cache/ms-playwright/chromium";
  const calls = [edit("src/a.ts"), shell("npm test"), failed("npx playwright test", { output })];
  expect(reasons("src/a.ts", calls)).toEqual([]);
});

describe("a run by hand", () => {
  const rows = [
    { cause: "a script of a chore", file: "scripts/export.py", call: shell("uv run scripts/export.py"), is: [] },
    { cause: "a chore that was not run", file: "scripts/export.py", call: shell("ls"), is: ["tests"] },
    { cause: "a script, started", file: "tools/sync.py", call: shell("cd tools && python3 sync.py | tail -3"), is: [] },
    { cause: "a script, by its path", file: "tools/sync", call: shell("./tools/sync"), is: [] },
    { cause: "a script, as a module", file: "tools/sync.py", call: shell("python -m tools.sync"), is: [] },
    { cause: "another script", file: "tools/sync.py", call: shell("python3 tools/other.py"), is: ["tests"] },
    {
      cause: "a script that broke",
      file: "tools/sync.py",
      call: shell("python3 tools/sync.py | tail -3", { output: "Traceback (most recent call last):" }),
      is: ["tests"],
    },
    { cause: "an import", file: "tools/sync.py", call: shell('python3 -c "import tools.sync"'), is: [] },
    { cause: "a script near to its tests", file: "lib/core.py", call: shell("python3 lib/core.py"), is: ["tests"] },
    {
      cause: "assertions by hand",
      file: "lib/core.py",
      call: shell('python3 -c "from lib.core import f; assert f(1) == 2"'),
      is: [],
    },
    {
      cause: "a page in a browser",
      file: "src/components/a.tsx",
      call: other("mcp__playwright__browser_snapshot"),
      is: [],
    },
    { cause: "a page for code", file: "src/a.ts", call: other("mcp__playwright__browser_snapshot"), is: ["tests"] },
    { cause: "a script at the top, far from all tests", file: "website/export.mjs", call: shell("ls"), is: [] },
    { cause: "code beside it", file: "website/lib/export.mjs", call: shell("ls"), is: ["tests"] },
    { cause: "a program of its language", file: "cmd/main.go", call: shell("go run ./cmd serve --once"), is: [] },
  ];
  const repository: RepositoryFacts = {
    ...FACTS,
    projects: [...FACTS.projects, { folder: "", language: "python" }, { folder: "", language: "go" }],
    testFolders: {
      javascript: [...(FACTS.testFolders.javascript ?? []), "website/src/components"],
      python: ["lib/tests"],
      go: ["internal"],
    },
  };
  test.for(rows)("$cause: $is", ({ file, call, is }) => {
    expect(reasons(file, [write(file), call], { repository })).toEqual(is);
  });
});

test("a check after the last edit counts, however old the last run by hand is", () => {
  const file = "website/lib/export.mjs";
  const repository = { ...FACTS, testFolders: { javascript: ["website/src/components"] } };
  const calls = [write(file), shell(`node ${file}`), edit(file)];
  expect(reasons(file, calls, { repository })).toEqual(["tests"]);
  expect(reasons(file, [...calls, shell("cd website && npm run lint")], { repository })).toEqual([]);
});

describe("what proves nothing", () => {
  const rows = [
    {
      cause: "a commit through hooks that do not test",
      file: "src/a.py",
      calls: [shell("git commit -m x", { output: `${"ruff".padEnd(73, ".")}Passed\n[main 20e7dbe] x` })],
      is: ["tests"],
    },
    {
      cause: "tests that did not compile, behind a filter",
      file: "src/a.go",
      calls: [shell("go test ./... | grep -v ^ok", { output: "# x/y/auth [x/y/auth.test]" })],
      is: ["tests"],
    },
    {
      cause: "a red report behind exit status 0",
      file: "src/a.py",
      calls: [shell("pytest; true", { output: RED_PYTEST })],
      is: ["tests", "failed-command"],
    },
    {
      cause: "only the good lines",
      file: "src/a.go",
      calls: [shell("go test ./... | grep ok", { output: GREEN_GO })],
      is: ["tests"],
    },
    {
      cause: "the first lines",
      file: "src/a.go",
      calls: [shell("go test ./... | head -1", { output: GREEN_GO })],
      is: ["tests"],
    },
    {
      cause: "the good lines of a red run",
      file: "src/a.rs",
      calls: [shell('cargo test | grep "test result: ok"', { output: GREEN_CARGO })],
      is: ["tests"],
    },
    {
      cause: "the count of a red run",
      file: "src/a.py",
      calls: [shell("pytest | grep passed", { output: RED_PYTEST })],
      is: ["tests", "failed-command"],
    },
    {
      cause: "green tests, and less coverage than the project wants",
      file: "src/a.ts",
      calls: [
        shell("npm test | tail", {
          output:
            "      Tests  30 passed (30)\nERROR: Coverage for lines (61%) does not meet threshold\nnpm error code 1",
        }),
      ],
      is: ["tests", "failed-command"],
    },
    {
      cause: "no test of that name",
      file: "src/a.go",
      calls: [shell("go test -run X ./...", { output: "ok  \tx/y\t0.002s [no tests to run]" })],
      is: ["tests"],
    },
    {
      cause: "no tests, and that is fine",
      file: "src/a.ts",
      calls: [shell("npx jest --passWithNoTests", { output: "No tests found, exiting with code 0" })],
      is: ["tests"],
    },
    {
      cause: "nothing run",
      file: "src/a.rs",
      calls: [
        shell("cargo test no_such_name", {
          output: "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 93 filtered out; finished in 0.00s",
        }),
      ],
      is: ["tests"],
    },
    {
      cause: "a target that is up to date",
      file: "src/a.c",
      calls: [shell("make test", { output: "make: 'test' is up to date." })],
      is: ["tests"],
    },
    {
      cause: "echoed words",
      file: "src/a.py",
      calls: [shell(`echo '${GREEN_PYTEST}'`, { output: GREEN_PYTEST })],
      is: ["tests"],
    },
    {
      cause: "a report that is only shown",
      file: "src/a.py",
      calls: [shell("cat old.log", { output: GREEN_PYTEST })],
      is: ["tests"],
    },
    {
      cause: "another language",
      file: "src/a.py",
      calls: [shell("cargo test", { output: GREEN_CARGO })],
      is: ["tests"],
    },
    {
      cause: "another folder",
      file: "src/a.py",
      calls: [shell("cd ~ && pytest", { output: GREEN_PYTEST })],
      is: ["tests"],
    },
    {
      cause: "the end of a red report",
      file: "src/a.ts",
      calls: [
        shell("npm run e2e | tail -3", { output: "  1 failed\n    e2e/a.spec.ts:12:5 › totals\n  2 passed (8.1s)" }),
      ],
      is: ["tests", "failed-command"],
    },
    {
      cause: "failures that a script of the project counts itself, with exit status 0",
      file: "src/a.js",
      calls: [shell("node test/run.js", { output: "10 of 12 checks passed, 2 failed" })],
      is: ["tests", "failed-command"],
    },
    {
      cause: "a report that lies on another machine",
      file: "src/a.go",
      calls: [shell('ssh build "cat app/test.log"', { output: GREEN_GO })],
      is: ["tests"],
    },
    {
      cause: "a sub-agent that ran nothing",
      file: "src/a.ts",
      calls: [other("Task", { kind: "agent", output: "Once installed, all 14 tests pass. I did not run them." })],
      is: ["tests"],
    },
    {
      cause: "what a sub-agent says about tests before the change",
      file: "src/a.ts",
      calls: [other("Task", { kind: "agent", output: "All 14 tests pass." }), edit("src/a.ts")],
      is: ["tests"],
    },
    { cause: "another project", file: "src/a.c", calls: [shell("make -C /tmp/other test")], is: ["tests"] },
    { cause: "a type check alone", file: "src/a.ts", calls: [shell("npx tsc --noEmit")], is: ["tests"] },
  ];
  test.for(rows)("$cause", ({ file, calls, is }) => {
    expect(reasons(file, [edit(file), ...calls])).toEqual(is);
  });

  test("tests of another package", () => {
    const more = { repository: FACTS };
    expect(reasons("apps/api/src/a.ts", [edit("apps/api/src/a.ts"), shell("pnpm --filter crypto test")], more)).toEqual(
      ["tests"],
    );
    expect(
      reasons("packages/crypto/src/a.ts", [edit("packages/crypto/src/a.ts"), shell("pnpm --filter crypto test")], more),
    ).toEqual([]);
    expect(reasons("apps/api/src/a.ts", [edit("apps/api/src/a.ts"), shell("pnpm test")], more)).toEqual([]);
  });
});

describe("what is asked, and of whom", () => {
  const rows = [
    { cause: "a language without tests", file: "agents/a.py", is: [] },
    { cause: "a project without tests", file: "website/x.mjs", is: [] },
    { cause: "code with tests beside it", file: "src/a.ts", is: ["tests"] },
    { cause: "a shell script", file: "bin/run.sh", is: [] },
    { cause: "a page", file: "index.html", is: [] },
    { cause: "a template of Rails", file: "src/a.html.erb", is: [] },
    { cause: "a template of Phoenix", file: "src/a.html.heex", is: [] },
    { cause: "a template of Laravel", file: "src/a.blade.php", is: [] },
    { cause: "a style sheet", file: "src/a.css", is: [] },
    { cause: "a snapshot", file: "src/__snapshots__/a.snap", is: [] },
    { cause: "data", file: "src/a.jsonl", is: [] },
    { cause: "a table", file: "src/a.csv", is: [] },
    { cause: "translations", file: "src/a.arb", is: [] },
    { cause: "translations in a program's own language", file: "src/i18n/de.ts", is: [] },
    { cause: "translations in a folder of their language", file: "src/locales/pt_BR/leads.ts", is: [] },
    { cause: "translations of Laravel", file: "lang/de/leads.php", is: [] },
    { cause: "code that is about a language", file: "src/lang/go.ts", is: ["tests"] },
    { cause: "what chooses the translations", file: "src/i18n/index.ts", is: ["tests"] },
    { cause: "a starter of a desktop", file: "src/a.desktop", is: [] },
    { cause: "a font", file: "src/a.woff2", is: [] },
    { cause: "a lock file", file: "src/a.lock", is: [] },
    { cause: "a view that nothing looked at", file: "src/components/a.tsx", is: ["tests"] },
  ];
  test.for(rows)("$cause", ({ file, is }) => {
    expect(reasons(file, [write(file)], { repository: FACTS })).toEqual(is);
  });

  test.for(["agents", "agent-code", "source-code"])("a row of a config asks, whatever its name: %s", (id) => {
    const row = { id, include: ["agents/**"], tests: true };
    const resolved = resolveRules("generic", [{ file: "checkpoint.config.json", config: { categories: [row] } }]);
    const rules = resolved.ok ? resolved.rules : PRESETS.generic;
    expect(reasons("agents/a.py", [write("agents/a.py")], { repository: FACTS, rules })).toEqual(["tests"]);
  });

  test("a repository without tests is asked for none, with checks or without", () => {
    const repository = { ...FACTS, testFolders: {}, commands: [] };
    const checks = shell("npx tsc --noEmit; npm run lint; npm run build");
    expect(reasons("src/a.ts", [write("src/a.ts"), checks], { repository })).toEqual([]);
    expect(reasons("src/a.ts", [write("src/a.ts")], { repository })).toEqual([]);
  });

  test("an edit by a tool that nobody knows is one, if it is given a path and a text", () => {
    const by = other("mcp__filesystem__edit_file", { inputData: { path: "src/a.py", edits: [{ newText: "x = 2" }] } });
    expect(reasons("src/a.py", [edit("src/a.py"), shell("pytest", { output: GREEN_PYTEST }), by])).toEqual(["tests"]);
  });

  test("what changed while a command ran that only looks or tests was changed by the person", () => {
    const files = ["src/a.ts"];
    for (const line of ["npm test", "sleep 60; cat src/b.ts"])
      expect(reasons("src/a.ts", [edit("src/a.ts"), shell("npm test"), shell(line, { files })])).toEqual([]);
    expect(reasons("src/a.ts", [edit("src/a.ts"), shell("npm test"), shell("./codemod", { files })])).toEqual([
      "tests",
    ]);
  });

  test("files outside of the project are no changes of it", () => {
    const place = { projectPath: PROJECT };
    const line = "echo x >> ~/.config/a.py; git checkout v4.40.1; cp src/a.py /tmp/a.py";
    expect(readTurn({ toolCalls: [shell(line)] }, place).changes).toEqual([]);
    expect(readTurn({ toolCalls: [shell("echo x >> src/a.py")] }, place).changes).toHaveLength(1);
  });

  test("on Windows a file of the project is one, whichever way its path is written", () => {
    const more = { projectPath: String.raw`D:\dev\project` };
    for (const path of [String.raw`D:\dev\project\src\a.go`, "d:/dev/project/src/a.go"])
      expect(reasons("src/a.go", [shell("go test ./...", { output: GREEN_GO }), edit(path)], more)).toEqual(["tests"]);
  });

  test("for the settings of a tool a check is enough, wherever the tests are", () => {
    const repository = { ...FACTS, testFolders: { javascript: ["e2e", "src"] } };
    for (const file of ["vite.config.ts", ".eslintrc.cjs"]) {
      expect(reasons(file, [write(file)], { repository })).toEqual(["tests"]);
      expect(reasons(file, [write(file), shell("npm run build")], { repository })).toEqual([]);
    }
    expect(reasons("index.ts", [write("index.ts"), shell("npm run build")], { repository })).toEqual(["tests"]);
  });

  test.for([
    { file: "src/types.ts", check: "npx tsc --noEmit", is: [] },
    { file: "src/types/cart.ts", check: "npx tsc --noEmit", is: [] },
    { file: "src/cart.types.ts", check: "npx tsc --noEmit", is: [] },
    { file: "src/typesetter.ts", check: "npx tsc --noEmit", is: ["tests"] },
    { file: "src/migrations/0002_fee.ts", check: "npx sequelize db:migrate", is: [] },
    { file: "src/migrations/0002_fee.ts", check: "npx tsc --noEmit", is: ["tests"] },
    { file: "src/migrate.ts", check: "npx sequelize db:migrate", is: ["tests"] },
  ])("$check for $file: $is", ({ file, check, is }) => {
    expect(reasons(file, [write(file), shell(check)], { repository: FACTS })).toEqual(is);
    expect(reasons(file, [write(file)], { repository: FACTS })).toEqual(["tests"]);
  });

  test("for a view a build is enough", () => {
    const calls = [write("src/components/a.tsx"), shell("npm run build")];
    expect(reasons("src/components/a.tsx", calls, { repository: FACTS })).toEqual([]);
  });

  test.for([
    { file: "App/CartView.swift", is: [] },
    { file: "App/Views/Cart.swift", is: [] },
    { file: "App/Cart.swift", is: ["tests"] },
    { file: "App/CartViewModel.swift", is: ["tests"] },
    { file: "app/ui/Cart.kt", is: [] },
    { file: "app/CartScreen.kt", is: [] },
    { file: "app/Cart.kt", is: ["tests"] },
  ])("a build of $file: $is", ({ file, is }) => {
    const repository = { ...FACTS, testFolders: { swift: ["AppTests"], java: ["app/src/test"] } };
    const build = file.endsWith(".kt") ? "./gradlew assemble" : "xcodebuild -scheme App build";
    expect(reasons(file, [write(file), shell(build)], { repository })).toEqual(is);
  });

  test("where a command for tests is declared and no test is there yet, a build is enough", () => {
    const repository = { ...FACTS, testFolders: {} };
    expect(reasons("src/a.ts", [write("src/a.ts")], { repository })).toEqual(["tests"]);
    expect(reasons("src/a.ts", [write("src/a.ts"), shell("npm run build")], { repository })).toEqual([]);
  });

  test("a file that the turn made and took away is no change", () => {
    const probe = "src/zz_probe_test.go";
    const calls = [
      edit("src/a.go"),
      write(probe),
      shell("go test ./...", { output: GREEN_GO }),
      shell(`go test -run Probe ./... ; rm ${probe}`, { output: GREEN_GO }),
    ];
    const { actions } = runHeuristics(["src/a.go", probe], turnOf(...calls), context);
    expect(actions).toEqual([]);
    expect(reasons("src/a.go", [read("src/a.go"), shell("rm src/a.go")])).toEqual(["tests"]);
  });

  test("the command to run is named", () => {
    const { requiredActions } = runHeuristics(["src/a.ts"], turnOf(write("src/a.ts")), {
      ...context,
      repository: FACTS,
    });
    expect(requiredActions).toEqual(["Run targeted tests for changed behavior: `npm test`"]);
  });

  test("the command to run is not named twice", () => {
    const instruction = "Run targeted tests (all of them: `npm test`)";
    const actions = PRESETS.generic.actions.map((action) =>
      action.id === "tests" ? { ...action, instruction } : action,
    );
    const { requiredActions } = runHeuristics(["src/a.ts"], turnOf(write("src/a.ts")), {
      ...context,
      rules: { ...PRESETS.generic, actions },
      repository: FACTS,
    });
    expect(requiredActions).toEqual([instruction]);
  });

  test("a worktree beside the project is judged like it", () => {
    const file = "/home/dev/project-fix/src/a.go";
    const calls = [edit(file), shell("cd ../project-fix && go build ./... && git commit -am x")];
    expect(reasons(file, calls)).toEqual(["tests"]);
    expect(reasons(file, [...calls, shell("cd ../project-fix && go test ./...", { output: GREEN_GO })])).toEqual([]);
  });
});

test.for([
  { id: "check-types", calls: [shell("npx tsc --noEmit")], is: [] },
  { id: "check-types", calls: [shell("pnpm -r run typecheck")], is: [] },
  { id: "check-types", calls: [failed("npx tsc --noEmit")], is: ["check-types"] },
  { id: "check-types", calls: [shell("npx tsc --noEmit"), edit("src/a.ts")], is: ["check-types"] },
  { id: "check-types", calls: [shell("mypy src")], is: ["check-types"] },
  { id: "check-lint", calls: [shell("npx eslint . | tail -3")], is: [] },
  { id: "check-lint", calls: [shell("npx tsc --noEmit")], is: ["check-lint"] },
  { id: "check-build", calls: [shell("vite build")], is: [] },
  { id: "check-build", calls: [shell("vite build --help")], is: ["check-build"] },
])("an action of its own for a static check: $id", ({ id, calls, is }) => {
  const config = {
    preset: "none" as const,
    actions: [{ id, steps: [{ run: "npm run check", evidence: [] }] }],
    categories: [{ id: "checked", include: ["src/**"], action: id }],
  };
  const resolved = resolveRules("generic", [{ file: "checkpoint.config.json", config }]);
  const rules = resolved.ok ? resolved.rules : PRESETS.generic;
  const { actions } = runHeuristics(["src/a.ts"], turnOf(edit("src/a.ts"), ...calls), { ...context, rules });
  expect(actions.map((action) => action.id)).toEqual(is);
});

describe("where a language keeps its tests", () => {
  const layouts: readonly {
    readonly layout: string;
    readonly language: string;
    readonly projects: readonly string[];
    readonly tests: readonly string[];
    readonly file: string;
    /** What is asked for after a build alone, and after nothing. */
    readonly built: readonly string[];
    readonly bare: readonly string[];
  }[] = [
    {
      layout: "Maven: tests in src/test",
      language: "java",
      projects: [""],
      tests: ["src/test/java/com/x"],
      file: "src/main/java/com/x/A.java",
      built: ["tests"],
      bare: ["tests"],
    },
    {
      layout: "Swift: tests in Tests",
      language: "swift",
      projects: [""],
      tests: ["Tests/AppTests"],
      file: "Sources/App/A.swift",
      built: ["tests"],
      bare: ["tests"],
    },
    {
      layout: ".NET: a project of tests beside each project",
      language: "dotnet",
      projects: ["src/App", "src/Web", "test/App.Tests"],
      tests: ["test/App.Tests"],
      file: "src/App/A.cs",
      built: ["tests"],
      bare: ["tests"],
    },
    {
      layout: ".NET: a project without one",
      language: "dotnet",
      projects: ["src/App", "src/Web", "test/App.Tests"],
      tests: ["test/App.Tests"],
      file: "src/Web/A.cs",
      built: [],
      bare: ["tests"],
    },
    {
      layout: "a project around another one, which alone has tests",
      language: "javascript",
      projects: ["website", "website/api"],
      tests: ["website/api/test"],
      file: "website/export.mjs",
      built: [],
      bare: [],
    },
    {
      layout: "tests beside the code, and none beside this file",
      language: "javascript",
      projects: [""],
      tests: ["src/a"],
      file: "src/b/b.ts",
      built: [],
      bare: ["tests"],
    },
    {
      layout: "a folder of tests beside the code",
      language: "javascript",
      projects: [""],
      tests: ["src/a/__tests__"],
      file: "src/a/inner/a.ts",
      built: ["tests"],
      bare: ["tests"],
    },
    {
      layout: "a folder that only sounds like tests",
      language: "javascript",
      projects: [""],
      tests: ["src/latest"],
      file: "src/b/b.ts",
      built: [],
      bare: ["tests"],
    },
  ];
  const BUILDS: Readonly<Record<string, string>> = {
    java: "mvn compile",
    swift: "swift build",
    dotnet: "dotnet build",
    javascript: "npm run build",
  };
  test.for(layouts)("$layout", ({ language, projects, tests, file, built, bare }) => {
    const repository: RepositoryFacts = {
      projects: projects.map((folder) => ({ folder, language })),
      testFolders: { [language]: tests },
      commands: [],
    };
    expect(reasons(file, [edit(file), shell(BUILDS[language] ?? "")], { repository })).toEqual(built);
    expect(reasons(file, [edit(file)], { repository })).toEqual(bare);
  });

  test("a folder of the same project that an option names", () => {
    const repository: RepositoryFacts = {
      projects: ["", "web"].map((folder) => ({ folder, language: "c" })),
      testFolders: { c: ["tests"] },
      commands: [],
    };
    const after = (run: string) => reasons("lib/a.c", [edit("lib/a.c"), shell(run)], { repository });
    expect(["make -C tests test", "make -C build test", "make -C web test"].map(after)).toEqual([[], [], ["tests"]]);
  });

  test("tests of the whole repository in a folder that is called a suite", () => {
    const repository: RepositoryFacts = {
      projects: ["", "core", "test_suite"].map((folder) => ({ folder, language: "rust" })),
      testFolders: { rust: ["test_suite/tests"] },
      commands: [],
    };
    const file = "core/src/a.rs";
    expect(reasons(file, [edit(file)], { repository })).toEqual(["tests"]);
    expect(reasons(file, [edit(file), shell("cd test_suite && cargo test")], { repository })).toEqual([]);
  });

  test("a project's tests run in their own folder", () => {
    const repository: RepositoryFacts = {
      projects: ["src/App", "src/Web", "test/App.Tests"].map((folder) => ({ folder, language: "dotnet" })),
      testFolders: { dotnet: ["test/App.Tests"] },
      commands: [],
    };
    const run = shell("cd test/App.Tests && dotnet test");
    expect(reasons("src/App/A.cs", [edit("src/App/A.cs"), run], { repository })).toEqual([]);
    expect(reasons("src/Web/A.cs", [edit("src/Web/A.cs"), run], { repository })).toEqual(["tests"]);
  });
});

describe("a smaller run after a red one", () => {
  const red = (command: string) => failed(command, { output: "  14 passing (1s)\n  4 failing\n" });
  const green = (command: string) => shell(command, { output: "  6 passing (1s)\n" });
  const rows = [
    { cause: "nothing was mended", calls: [red("npm test"), green("npm test -- -g one")], is: ["failed-command"] },
    { cause: "mended", calls: [red("npm test"), edit("src/a.ts"), green("npm test -- -g one")], is: [] },
    {
      cause: "mended, and fewer tests than had failed",
      calls: [red("npm test"), edit("src/a.ts"), shell("npx mocha one.js", { output: "  3 passing (1s)\n" })],
      is: ["failed-command"],
    },
    {
      cause: "mended, and as many tests as had failed in two runs",
      calls: [
        red("npm test"),
        edit("src/a.ts"),
        shell("npx mocha one.js", { output: "  3 passing (1s)\n" }),
        shell("npx mocha two.js", { output: "  1 passing (1s)\n" }),
      ],
      is: [],
    },
    {
      cause: "mended, and the same command with fewer tests",
      calls: [red("npm test"), edit("src/a.ts"), shell("npm test", { output: "  3 passing (1s)\n" })],
      is: [],
    },
    {
      cause: "mended, and another selection",
      calls: [red('npm test -- -g "one|two|three"'), edit("src/a.ts"), green('npm test -- -g "one|two"')],
      is: ["failed-command"],
    },
    {
      cause: "the same selection",
      calls: [red("npm test -- -g one"), edit("src/a.ts"), green("npm test -- -g one")],
      is: [],
    },
  ];
  test.for(rows)("$cause: $is", ({ calls, is }) => {
    expect(reasons("src/a.ts", [edit("src/a.ts"), ...calls])).toEqual(is);
  });
});

describe("only what somebody has to make good is a failure", () => {
  const tested = shell("npm test");
  const rows = [
    { cause: "not found", call: failed("docker ps", { exitCode: 127 }), is: [] },
    { cause: "a probe", call: failed("redis-cli ping"), is: [] },
    { cause: "a removal of what is not there", call: failed("rm package-lock.json"), is: [] },
    { cause: "a kill", call: failed("npx astro dev", { exitCode: 143 }), is: [] },
    { cause: "a search that took too long", call: failed("find / -name x | sed s/a/b/", { exitCode: 124 }), is: [] },
    { cause: "a look at a module", call: failed('uv run python -c "from x import y"'), is: [] },
    {
      cause: "a rejected push",
      call: failed("git push", { output: "! [rejected] main -> main (fetch first)" }),
      is: [],
    },
    { cause: "checks of a pull request", call: failed("gh pr checks 12", { exitCode: 8 }), is: [] },
    { cause: "a conflict", call: failed("git merge origin/x", { output: "CONFLICT (content)" }), is: [] },
    {
      cause: "nothing to commit",
      call: failed("git commit -m x", { output: "nothing to commit, working tree clean" }),
      is: [],
    },
    {
      cause: "an edit outside of the project that was refused",
      call: edit("/home/dev/.claude/MEMORY.md", { hadError: true, output: "File has not been read yet." }),
      is: [],
    },
    {
      cause: "a commit in a scratch repository",
      call: failed('set -e; T=$(mktemp -d); git init "$T"; git -C "$T" commit -m x; go run . "$T"'),
      is: [],
    },
    {
      cause: "tests that need a service which cannot be reached",
      call: failed("npm run test:docker", {
        output:
          "permission denied while trying to connect to the docker API at unix:///var/run/docker.sock\nTests:  1 failed, 1 total",
      }),
      is: [],
    },
    { cause: "a build", call: failed("npm run build"), is: ["failed-command"] },
    {
      cause: "a commit",
      call: failed("git commit -m x", { output: "pre-commit hook failed" }),
      is: ["failed-command"],
    },
    { cause: "a migration", call: failed("npx prisma migrate deploy"), is: ["failed-command"] },
  ];
  test.for(rows)("$cause: $is", ({ call, is }) => {
    expect(reasons("src/a.ts", [edit("src/a.ts"), tested, call])).toEqual(is);
  });

  test.for([
    { line: "git rev-parse --verify origin/x", exitCode: 128 },
    { line: "git config --get user.name", exitCode: 1 },
    { line: "docker inspect api", exitCode: 1 },
    { line: "npm ls left-pad", exitCode: 1 },
    { line: "systemctl is-active api", exitCode: 3 },
    { line: "jq -e .scripts.test package.json", exitCode: 1 },
    { line: "timeout 5 npm run dev", exitCode: 124 },
    { line: "curl -sf localhost:3000/health", exitCode: 7 },
    { line: "which pytest", exitCode: 1 },
    { line: "npm run tset", exitCode: 1, output: 'npm error Missing script: "tset"' },
    { line: "cargo tset", exitCode: 101, output: "error: no such command: `tset`" },
    { line: "vitest --no-such-option", exitCode: 1, output: "CACError: Unknown option `--no-such-option`" },
    { line: "pkill -f vite", exitCode: 1 },
  ])("$line is a question whose answer was no", ({ line, exitCode, output }) => {
    const calls = [edit("src/a.ts"), tested, failed(line, { exitCode, output: output ?? "" })];
    expect(reasons("src/a.ts", calls)).toEqual([]);
  });

  test("what a runner's program does beside testing is no test that failed", () => {
    const calls = [edit("lib/a.dart"), shell("flutter test", { output: "00:03 +12: All tests passed!" })];
    for (const line of ["dart analyze test/", "flutter pub get"])
      expect(reasons("lib/a.dart", [...calls, failed(line, { exitCode: 3 })])).toEqual([]);
  });

  test("red tests of what was not changed are an answer", () => {
    expect(reasons("README.md", [failed("npm test")])).toEqual([]);
    const calls = [edit("src/a.ts"), tested];
    const clone = failed("git clone https://x/y /tmp/y && cd /tmp/y && npm test");
    expect(reasons("src/a.ts", [...calls, clone])).toEqual([]);
    const below = [shell("git clone --depth 1 https://x/y.git"), failed("cd y && npm test")];
    expect(reasons("src/a.ts", [...calls, ...below])).toEqual([]);
    expect(reasons("src/a.ts", [...calls, failed("cd y && npm test")])).toEqual(["failed-command"]);
    const here = [shell("git clone https://x/y/ ."), ...calls, failed("npm test")];
    expect(reasons("src/a.ts", here)).toEqual(["failed-command"]);
    expect(reasons("src/a.ts", [...calls, failed("cargo test", { output: RED_CARGO })])).toEqual([]);
    expect(reasons("src/a.ts", [...calls, failed("npm test")])).toEqual(["failed-command"]);
  });
});

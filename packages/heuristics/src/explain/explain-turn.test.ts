import { PRESETS, type Rules } from "@agent-checkpoint/categories";
import type { ToolCallRecord, TurnTimeline } from "@agent-checkpoint/transcript";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runHeuristics } from "../weigh-turn.ts";
import { edit, failed, NO_TRANSCRIPT, PROJECT, read, shell, turnOf, write } from "../test-calls.ts";
import type { CheckpointContext } from "../types.ts";
import { explainTurn } from "./explain-turn.ts";
import type { CandidateVerdict, Explanation } from "./explanation.ts";

const context: CheckpointContext = { projectPath: PROJECT, workingSlug: null, agentName: "claude" };
const DAEMON = "teleclaude/core/foo.py";

const explain = (files: readonly string[], calls: readonly ToolCallRecord[], rules: Rules = PRESETS.teleclaude) =>
  explainTurn(files, turnOf(...calls), { ...context, rules });

const actionOf = ({ actions }: Explanation, id: string) => actions.find((action) => action.id === id);

/** Each call that is or looks like a step, by its number, with the verdict on it. */
const verdictsOn = (explanation: Explanation, { action = "tests", step = 0 } = {}) =>
  actionOf(explanation, action)?.steps[step]?.candidates.map(({ call, verdict }) => ({ [call.number]: verdict }));

describe("why a call counts or does not", () => {
  const rows: { turn: string; calls: ToolCallRecord[]; verdicts: Record<number, CandidateVerdict>[] }[] = [
    { turn: "counted", calls: [edit(DAEMON), shell("pytest")], verdicts: [{ 2: { status: "counted" } }] },
    {
      turn: "counted by the runner's own word",
      calls: [shell("pytest | tail -3", { output: "5 passed in 1.00s" })],
      verdicts: [{ 1: { status: "counted" } }],
    },
    {
      turn: "repeated: a later run counts",
      calls: [shell("pytest -q"), shell("make test"), shell("pytest tests/a.py")],
      verdicts: [{ 1: { status: "repeated" } }, { 2: { status: "repeated" } }, { 3: { status: "counted" } }],
    },
    {
      turn: "repeated in one line",
      calls: [shell("pytest tests/a.py && pytest tests/b.py")],
      verdicts: [{ 1: { status: "repeated" } }, { 1: { status: "counted" } }],
    },
    {
      turn: "stale: a file was changed after it",
      calls: [shell("pytest"), edit(`${PROJECT}/${DAEMON}`)],
      verdicts: [{ 1: { status: "stale", file: DAEMON, changedBy: 2 } }],
    },
    {
      turn: "stale: the last change is the one that is named",
      calls: [shell("pytest"), edit(DAEMON), shell("pytest"), write("tests/test_a.py"), edit("docs/a.md")],
      verdicts: [
        { 1: { status: "stale", file: "tests/test_a.py", changedBy: 4 } },
        { 3: { status: "stale", file: "tests/test_a.py", changedBy: 4 } },
      ],
    },
    {
      turn: "stale within its own line",
      calls: [shell(`pytest && sed -i s/a/b/ ${DAEMON}`)],
      verdicts: [{ 1: { status: "stale", file: DAEMON, changedBy: 1 } }],
    },
    {
      turn: "stale: it wrote over the file itself",
      calls: [shell(`pytest > ${DAEMON}`)],
      verdicts: [{ 1: { status: "stale", file: DAEMON, changedBy: 1 } }],
    },
    {
      turn: "stale, then counted",
      calls: [shell("pytest"), edit(DAEMON), shell("pytest")],
      verdicts: [{ 1: { status: "stale", file: DAEMON, changedBy: 2 } }, { 3: { status: "counted" } }],
    },
    {
      turn: "failed",
      calls: [failed("pytest", { exitCode: 2 })],
      verdicts: [{ 1: { status: "failed", exitCode: 2 } }],
    },
    {
      turn: "failed, exit status unknown",
      calls: [failed("pytest", { exitCode: null })],
      verdicts: [{ 1: { status: "failed", exitCode: null } }],
    },
    {
      turn: "failed before the last change is failed, not stale",
      calls: [failed("pytest"), edit(DAEMON)],
      verdicts: [{ 1: { status: "failed", exitCode: 1 } }],
    },
    {
      turn: "refused by the user",
      calls: [failed("pytest", { rejected: true })],
      verdicts: [{ 1: { status: "refused" } }],
    },
    { turn: "masked", calls: [shell("pytest || true")], verdicts: [{ 1: { status: "masked", by: "or" } }] },
    {
      turn: "unfinished: no result",
      calls: [shell("pytest", { hasResult: false }), shell("pytest", { hadError: null })],
      verdicts: [{ 1: { status: "unfinished" } }, { 2: { status: "unfinished" } }],
    },
    {
      turn: "elsewhere",
      calls: [shell("cd /home/dev/other && pytest")],
      verdicts: [{ 1: { status: "elsewhere", folder: "/home/dev/other" } }],
    },
    {
      turn: "elsewhere, whatever became of it",
      calls: [failed("pytest", { cwd: "/home/dev/other" })],
      verdicts: [{ 1: { status: "elsewhere", folder: "/home/dev/other" } }],
    },
    {
      turn: "in a folder that an expansion hides is in the project",
      calls: [shell("cd $X && pytest")],
      verdicts: [{ 1: { status: "counted" } }],
    },
    {
      turn: "dry run",
      calls: [shell("pytest --collect-only"), shell("make -n test")],
      verdicts: [{ 1: { status: "dry-run" } }, { 2: { status: "dry-run" } }],
    },
    {
      turn: "a dry run before the run in one line",
      calls: [shell("make -n test && make test")],
      verdicts: [{ 1: { status: "counted" } }],
    },
    {
      turn: "mentioned in an argument",
      calls: [shell("echo 'now pytest'"), shell("cd src; git commit -m 'make  test passes'"), shell("which pytest")],
      verdicts: [
        { 1: { status: "mentioned", by: "echo" } },
        { 2: { status: "mentioned", by: "git" } },
        { 3: { status: "mentioned", by: "which" } },
      ],
    },
    {
      turn: "mentioned in a comment or a heredoc",
      calls: [shell("ls # pytest"), shell("cat > n.txt <<'END'\npytest\nEND")],
      verdicts: [{ 1: { status: "mentioned", by: null } }, { 2: { status: "mentioned", by: null } }],
    },
    {
      turn: "not even mentioned",
      calls: [
        shell("cat pytest.ini"),
        shell("ls pytest-cov src/pytest my.pytest pytest/a"),
        shell("make tests"),
        shell("make lint; ls test"),
        shell("ls"),
        read("pytest"),
      ],
      verdicts: [],
    },
    {
      turn: "a sentence may end with it",
      calls: [shell("git commit -m 'Fix, checked with pytest.'")],
      verdicts: [{ 1: { status: "mentioned", by: "git" } }],
    },
    {
      turn: "runs and mentions stand in the order of the turn",
      calls: [shell("echo pytest"), failed("pytest"), shell("pytest -V"), shell("pytest"), shell("# pytest")],
      verdicts: [
        { 1: { status: "mentioned", by: "echo" } },
        { 2: { status: "failed", exitCode: 1 } },
        { 3: { status: "dry-run" } },
        { 4: { status: "counted" } },
        { 5: { status: "mentioned", by: null } },
      ],
    },
  ];
  test.for(rows)("$turn", ({ calls, verdicts }) => {
    expect(verdictsOn(explain([DAEMON], calls))).toEqual(verdicts);
  });

  const masks = [
    { line: "pytest; ls", by: "sequence" },
    { line: "pytest & wait", by: "background" },
    { line: "pytest | tail -3", by: "pipe" },
    { line: "! pytest", by: "negation" },
    { line: "pytest || true", by: "or" },
    { line: "if pytest; then ls; fi", by: "branch" },
    { line: "out=$(pytest -q)", by: "substitution" },
    { line: "pytest && (", by: "syntax" },
  ] as const;
  test.for(masks)("masked by $by: $line", ({ line, by }) => {
    expect(verdictsOn(explain([DAEMON], [shell(line)]))).toEqual([{ 1: { status: "masked", by } }]);
  });
});

describe("an action of two steps", () => {
  const restart = (explanation: Explanation) => ({
    status: actionOf(explanation, "restart-daemon")?.status,
    steps: actionOf(explanation, "restart-daemon")?.steps.map(({ run, status }) => `${run}: ${status}`),
    first: verdictsOn(explanation, { action: "restart-daemon", step: 0 }),
    second: verdictsOn(explanation, { action: "restart-daemon", step: 1 }),
  });

  test("both seen", () => {
    expect(restart(explain(["config.yml"], [shell("make restart && make status")]))).toEqual({
      status: "done",
      steps: ["make restart: found", "make status: found"],
      first: [{ 1: { status: "counted" } }],
      second: [{ 1: { status: "counted" } }],
    });
  });

  test("both in one command", () => {
    expect(restart(explain(["config.yml"], [shell("make restart status")]))).toEqual({
      status: "done",
      steps: ["make restart: found", "make status: found"],
      first: [{ 1: { status: "counted" } }],
      second: [{ 1: { status: "counted" } }],
    });
  });

  test("the second came too early", () => {
    expect(restart(explain(["config.yml"], [shell("make status"), shell("make restart")]))).toEqual({
      status: "open",
      steps: ["make restart: found", "make status: stale"],
      first: [{ 2: { status: "counted" } }],
      second: [{ 1: { status: "too-early", before: "make restart" } }],
    });
  });

  test("the second is not looked for where the first is missing", () => {
    expect(restart(explain(["config.yml"], [shell("make status")]))).toEqual({
      status: "open",
      steps: ["make restart: absent", "make status: not-reached"],
      first: [],
      second: [],
    });
  });

  test("without a transcript nothing is known of either", () => {
    expect(restart(explainTurn(["config.yml"], NO_TRANSCRIPT, context))).toEqual({
      status: "open",
      steps: ["make restart: unknown", "make status: unknown"],
      first: [],
      second: [],
    });
  });
});

describe("what an action is asked for by, and what it has to be later than", () => {
  const at = new Date(Date.UTC(2026, 0, 1, 12));

  test("the files that ask for it, and the call that last changed what it is about", () => {
    const change = edit(`${PROJECT}/${DAEMON}`, { id: "the-edit", timestamp: at, by: "subagent" });
    const explanation = explain([DAEMON, "config.yml"], [read(DAEMON), change, edit("docs/a.md")]);
    const lastChange = {
      file: DAEMON,
      call: { number: 2, id: "the-edit", what: `Edit ${DAEMON}`, at, by: "subagent" },
    };
    expect(actionOf(explanation, "restart-daemon")).toEqual({
      id: "restart-daemon",
      status: "open",
      mode: "require",
      isBaseline: false,
      askedBy: [DAEMON, "config.yml"],
      lastChange,
      steps: [
        { run: "make restart", status: "absent", candidates: [] },
        { run: "make status", status: "not-reached", candidates: [] },
      ],
    });
    expect(actionOf(explanation, "tests")?.askedBy).toEqual([DAEMON]);
  });

  test("a baseline action is asked for at every stop, by no file", () => {
    const { isBaseline, askedBy, status } = actionOf(explain([], []), "check-logs") ?? {};
    expect({ isBaseline, askedBy, status }).toEqual({ isBaseline: true, askedBy: [], status: "open" });
  });

  test("an action that nothing asks for has no steps, even where it was run", () => {
    expect(actionOf(explain(["docs/a.md"], [edit(DAEMON), shell("pytest")]), "tests")).toEqual({
      id: "tests",
      status: "not-asked",
      mode: "require",
      isBaseline: false,
      askedBy: [],
      lastChange: null,
      steps: [],
    });
  });

  test("a turn that changed nothing of it has no last change", () => {
    expect(actionOf(explain([DAEMON], [edit("docs/a.md")]), "tests")?.lastChange).toBeNull();
  });

  test("actions stand in the order of the checklist, asked for or not", () => {
    expect(explain([], []).actions.map(({ id }) => id)).toEqual(PRESETS.teleclaude.actions.map(({ id }) => id));
  });
});

describe("the calls that led to an observation", () => {
  const configFile = "checkpoint.config.json";
  const rows: { says: string; check: string; files?: string[]; calls: ToolCallRecord[]; from: number[][] }[] = [
    { says: "absent", check: "verification-gap", files: [], calls: [shell("ls")], from: [[]] },
    {
      says: "stale",
      check: "verification-gap",
      files: [],
      calls: [shell("instrukt-ai-logs a"), shell("instrukt-ai-logs b"), edit(DAEMON)],
      from: [[2]],
    },
    {
      says: "failed",
      check: "verification-gap",
      files: [],
      calls: [failed("instrukt-ai-logs a"), shell("ls"), failed("instrukt-ai-logs b")],
      from: [[3]],
    },
    {
      says: "failures of two kinds",
      check: "failed-command",
      calls: [failed("make a"), failed("pytest"), failed("make b")],
      from: [[2], [1, 3]],
    },
    {
      says: "of the edits of a file only the first is blind",
      check: "edit-without-read",
      calls: [edit("a.py"), edit("b.py"), read("a.py"), edit("a.py")],
      from: [[1], [2]],
    },
    {
      says: "rules changed by tool and by shell",
      check: "config-changed",
      calls: [read(configFile), edit(configFile), shell(`echo '{}' > ${configFile}`), edit("other.json")],
      from: [[2, 3]],
    },
    { says: "many folders", check: "wide-change", files: ["a/x", "b/x", "c/x", "d/x"], calls: [], from: [[]] },
  ];
  test.for(rows)("$check: $says", ({ check, files = [], calls, from }) => {
    const { observations, result } = explainTurn(files, turnOf(...calls), context);
    const of = <T extends { readonly check: string }>(all: readonly T[]) => all.filter((one) => one.check === check);
    expect(of(result.findings).map((finding) => finding.calls)).toEqual(from);
    expect(of(observations).map((one) => one.calls.map(({ number }) => number))).toEqual(from);
  });
});

describe("on any turn", () => {
  const FILES = [DAEMON, "teleclaude/hooks/h.py", "config.yml", "tests/test_a.py", "src/a.ts", "docs/a.md", "Makefile"];
  const LINES = [
    "pytest",
    "pytest -q | tail -3",
    "pytest || true; npm test",
    "make restart",
    "make restart && make status",
    "make status; make restart",
    "make -n restart",
    "echo 'pytest and make status'",
    "cd /home/dev/other && pytest",
    "npx vitest run",
    "instrukt-ai-logs teleclaude",
    "# npm test",
    `pytest && sed -i s/a/b/ ${DAEMON}`,
    "cat > src/a.ts <<'END'\nnpm test\nEND",
    "make restart && (",
  ];
  const endings = fc.constantFrom<Partial<ToolCallRecord>[]>(
    {},
    { hadError: true, exitCode: 1 },
    { hadError: null },
    { hasResult: false },
    { rejected: true, hadError: true },
    { resultSnippet: "5 passed in 1.00s" },
    { cwd: "/home/dev/other" },
  );
  const calls = fc.oneof(
    fc.tuple(fc.constantFrom(...LINES), endings).map(([line, ending]) => shell(line, ending)),
    fc
      .tuple(fc.constantFrom(read, edit, write), fc.constantFrom(...FILES), endings)
      .map(([use, file, ending]) => use(file, ending)),
  );
  const timelines: fc.Arbitrary<TurnTimeline> = fc.oneof(
    { weight: 1, arbitrary: fc.constant(NO_TRANSCRIPT) },
    {
      weight: 9,
      arbitrary: fc
        .tuple(fc.array(calls, { maxLength: 8 }), fc.boolean())
        .map(([all, isWhole]) => ({ ...turnOf(...all), isWhole })),
    },
  );
  const contexts = fc
    .constantFrom(...Object.values(PRESETS))
    .map((rules): CheckpointContext => ({ ...context, rules }));

  const onAnyTurn = (holds: (explanation: Explanation, verdict: ReturnType<typeof runHeuristics>) => void) =>
    fc.assert(
      fc.property(fc.subarray(FILES), timelines, contexts, (files, timeline, given) => {
        holds(explainTurn(files, timeline, given), runHeuristics(files, timeline, given));
      }),
      { numRuns: 150 },
    );

  test("the verdict is the one that is explained", () => {
    onAnyTurn(({ result }, verdict) => {
      expect(result).toEqual(verdict);
    });
  });

  test("an action is open where the checklist has it, and done where each of its steps is found", () => {
    onAnyTurn(({ actions }, verdict) => {
      expect(actions.filter(({ status }) => status === "open").map(({ id }) => id)).toEqual(
        verdict.actions.map(({ id }) => id),
      );
      for (const { status, steps } of actions.filter((action) => action.status !== "not-asked")) {
        expect(steps.every((step) => step.status === "found")).toBe(status === "done");
      }
    });
  });

  test("of the calls of a step one counts where it is found, and none where it is not", () => {
    onAnyTurn(({ actions }) => {
      for (const { status, candidates } of actions.flatMap(({ steps }) => steps)) {
        const counted = candidates.filter(({ verdict }) => verdict.status === "counted");
        expect(counted).toHaveLength(status === "found" ? 1 : 0);
      }
    });
  });

  test("a stale call names a change that is not before it", () => {
    onAnyTurn(({ actions }) => {
      const candidates = actions.flatMap(({ steps }) => steps.flatMap((step) => step.candidates));
      const misnamed = candidates.filter(
        ({ call, verdict }) => verdict.status === "stale" && verdict.changedBy < call.number,
      );
      expect(misnamed).toEqual([]);
    });
  });

  test("observations are those of the verdict, each with calls of the turn", () => {
    onAnyTurn(({ observations, callCount }, verdict) => {
      expect(observations.map(({ text }) => text)).toEqual(verdict.observations);
      expect(observations.map((one) => one.calls.map(({ number }) => number))).toEqual(
        verdict.findings.map((finding) => finding.calls),
      );
      for (const { number } of observations.flatMap((one) => one.calls)) {
        expect(number).toBeGreaterThan(0);
        expect(number).toBeLessThanOrEqual(callCount ?? 0);
      }
    });
  });
});

test("without a transcript no calls are counted", () => {
  expect(explainTurn([DAEMON], NO_TRANSCRIPT, context).callCount).toBeNull();
  expect(explain([DAEMON], []).callCount).toBe(0);
});

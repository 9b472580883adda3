import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PRESETS } from "@agent-checkpoint/categories";
import type { RepositoryFacts } from "@agent-checkpoint/heuristics";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TranscriptFile } from "../files/find-transcripts.ts";
import { bash, type Step, write, writeClaudeSession } from "../testing/claude-session.ts";
import { type FileResult, replayFile, type ReplayScope } from "./replay-file.ts";
import { createRulesFinder } from "./replay-rules.ts";
import type { Summary } from "./summary.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "replay-file-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ALL: ReplayScope = { agent: null, since: null };

const WITH_TESTS: RepositoryFacts = {
  projects: [],
  testFolders: { javascript: ["src"], python: ["src"] },
  commands: [],
};

const replaySteps = (
  steps: readonly Step[],
  scope: ReplayScope = ALL,
  secondsPerStep = 60,
  facts: RepositoryFacts | null = WITH_TESTS,
): Promise<FileResult> => {
  const path = join(folder, "session.jsonl");
  writeClaudeSession(path, steps, { secondsPerStep });
  return replayFile(fileAt(path), scope, {
    rulesOf: createRulesFinder({ given: PRESETS.generic, home: folder, lentRoot: null }),
    factsOf: () => Promise.resolve(facts),
  });
};

const fileAt = (path: string): TranscriptFile => {
  const { size, mtimeMs } = statSync(path);
  return { path, size, mtimeMs, isNamed: true };
};

const summaryOf = (result: FileResult): Summary => {
  expect(result.kind).toBe("replayed");
  return result.kind === "replayed" ? result.summary : expect.fail();
};

/** A summary in a line: what became of the stop, and which rules fired. */
const brief = (result: FileResult): string => {
  const { noStop, blockedFor, passedFor, rules } = summaryOf(result);
  const outcome = [
    ...Object.keys(noStop),
    ...Object.keys(passedFor).map((reason) => `passed: ${reason}`),
    ...Object.keys(blockedFor).map((reason) => `blocked: ${reason}`),
  ];
  return [outcome.join(), ...Object.keys(rules)].join(" | ");
};

const done: Step = { says: "Done." };
const ask: Step = { prompt: "Please do it" };

const turns = [
  {
    turn: "code without tests",
    steps: [ask, write("src/a.ts"), done],
    outcome: "blocked: missing-actions | action:tests | check:verification-gap",
  },
  { turn: "code and its tests", steps: [ask, write("src/a.ts"), bash("npm test"), done], outcome: "passed: all-clear" },
  {
    turn: "tests before the last edit",
    steps: [ask, bash("npm test"), write("src/a.ts"), done],
    outcome: "blocked: missing-actions | action:tests | check:verification-gap",
  },
  { turn: "documents", steps: [ask, write("README.md"), done], outcome: "passed: capture-only" },
  {
    turn: "code that git put back",
    steps: [ask, bash("git checkout -- src/a.ts"), done],
    outcome: "passed: capture-only",
  },
  { turn: "a chat", steps: [ask, done], outcome: "passed: capture-only" },
  {
    turn: "code changed by a command",
    steps: [ask, bash("echo x > src/a.py"), done],
    outcome: "blocked: missing-actions | action:tests | check:verification-gap",
  },
  {
    turn: "folders and globs removed by a command",
    steps: [ask, bash("rm -rf dist old-things src/*.orig"), done],
    outcome: "passed: capture-only",
  },
  { turn: "a file of another project", steps: [ask, write("../other/a.ts"), done], outcome: "passed: capture-only" },
  {
    turn: "a file named from the folder that the shell was left in",
    steps: [ask, write("web/src/a.ts"), bash("cd web && npm test"), bash("sed -i s/a/b/ src/a.ts"), done],
    outcome: "passed: all-clear",
  },
  { turn: "interrupted work", steps: [ask, write("src/a.ts"), { interrupted: true }], outcome: "interrupted" },
  { turn: "work under way", steps: [ask, write("src/a.ts")], outcome: "unfinished" },
] as const satisfies readonly { turn: string; steps: readonly Step[]; outcome: string }[];

test.for(turns)("$turn", async ({ steps, outcome }) => {
  expect(brief(await replaySteps(steps))).toBe(outcome);
});

test("tests that are newer than the folder that the turn made are not asked for", async () => {
  const facts: RepositoryFacts = {
    projects: [{ folder: "", language: "javascript" }],
    testFolders: { javascript: ["src/lib/__tests__"] },
    commands: [],
  };
  const turn = [write("src/lib/a.ts"), bash("npm run build"), done];
  expect(brief(await replaySteps([ask, bash("mkdir -p src/lib"), ...turn], ALL, 60, facts))).toBe("passed: all-clear");
  expect(brief(await replaySteps([ask, ...turn], ALL, 60, facts))).toBe(
    "blocked: missing-actions | action:tests | check:verification-gap",
  );
});

test("a quick stop passes by the timer, whatever changed", async () => {
  expect(brief(await replaySteps([ask, write("src/a.ts"), done], ALL, 2))).toBe("passed: timer");
});

test("a repository that is not here has tests if the session shows some, now or later", async () => {
  const shown = async (...steps: readonly Step[]) =>
    brief(await replaySteps([ask, write("src/a.py"), done, ...steps], ALL, 60, null));
  expect(await shown()).toBe("passed: all-clear");
  expect(await shown(ask, bash("cargo test"), done)).toBe("passed: all-clear,passed: capture-only");
  expect(await shown(ask, bash("pytest -q"), done)).toContain("blocked: missing-actions");
  expect(await shown(ask, write("tests/test_a.py"), bash("pytest -q"), done)).toContain("blocked: missing-actions");
});

test("one after 15 seconds in which code changed does not", async () => {
  expect(brief(await replaySteps([ask, write("src/projects.ts"), done], ALL, 5))).toBe(
    "blocked: missing-actions | action:tests | check:verification-gap",
  );
});

test.for([
  { output: "      Tests  30 passed (30)", outcome: "passed: all-clear" },
  { output: "      Tests  1 failed | 29 passed (30)", outcome: "blocked: missing-actions" },
])(
  "a run in the background, behind a pipe, is known by what is read of it later: $outcome",
  async ({ output, outcome }) => {
    const command = "pnpm test 2>&1 | tail -20";
    const task = { task_id: "b1", status: "completed", exitCode: 0, output };
    const steps: readonly Step[] = [
      ask,
      write("src/a.ts"),
      {
        tool: "Bash",
        input: { command, run_in_background: true },
        result: "Command running in background with ID: b1",
        details: { backgroundTaskId: "b1" },
      },
      { tool: "TaskOutput", input: { task_id: "b1" }, result: "<status>completed</status>", details: { task } },
      done,
    ];
    expect(brief(await replaySteps(steps))).toContain(outcome);
  },
);

test("our own block belongs to the turn that it was sent into", async () => {
  const steps: readonly Step[] = [
    ask,
    write("src/a.ts"),
    done,
    { prompt: "agent-checkpoint: 1 action is still required before this turn is done." },
    bash("npm test"),
    done,
  ];
  expect(summaryOf(await replaySteps(steps))).toMatchObject({
    turns: 1,
    stops: 1,
    blocked: 0,
    passedFor: { "all-clear": 1 },
  });
});

test("a session adds up its turns, with examples of what fired", async () => {
  const turn = [ask, write("src/a.ts"), done];
  const summary = summaryOf(await replaySteps([...turn, ...turn, ...turn, ...turn, ask, { interrupted: true }]));
  expect(summary).toMatchObject({ sessions: 1, turns: 5, stops: 4, blocked: 4, noStop: { interrupted: 1 } });
  expect(summary.rules["action:tests"]).toMatchObject({ kind: "action", fired: 4, sent: 4 });
  expect(summary.rules["action:tests"]?.examples).toHaveLength(3);
  expect(summary.rules["action:tests"]?.examples[0]).toEqual({
    agent: "claude",
    session: "session-1",
    transcript: join(folder, "session.jsonl"),
    project: "/home/dev/project",
    at: "2026-11-02T10:16:00.000Z",
    isSent: true,
    text: "Run targeted tests for changed behavior: `src/a.ts`",
  });
});

test("tells which blocked stops came after a commit", async () => {
  const committed = [ask, write("src/a.ts"), bash("git add -A && git commit -m x"), done];
  const changedAgain = [ask, write("src/a.ts"), bash("git commit -am x"), write("src/b.ts"), done];
  expect(summaryOf(await replaySteps([...committed, ...changedAgain]))).toMatchObject({
    blocked: 2,
    blockedAfterCommit: 1,
  });
});

test("leaves out turns from before, and sessions of other agents", async () => {
  const steps = [ask, write("src/a.ts"), done, ask, write("src/b.ts"), done];
  const since = Date.parse("2026-11-02T10:04:00Z");
  expect(summaryOf(await replaySteps(steps, { agent: null, since }))).toMatchObject({ sessions: 1, turns: 1 });
  expect(await replaySteps(steps, { agent: "codex", since: null })).toEqual({ kind: "skipped", why: "other-agent" });
});

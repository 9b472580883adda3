import { appendFileSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadScenario, PROMPT_AT, type Scenario, type Step, type ScenarioAgent } from "@agent-checkpoint/fixtures";
import { execa } from "execa";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Stats } from "../stats/build-stats.ts";
import type { Environment } from "../environment.ts";
import { type CliRun, runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { stageSession, type StagedSession } from "../testing/stage-session.ts";
import { withStore } from "../with-store.ts";

const TESTS = loadScenario("generic-tests-missing");
const FAILURE = loadScenario("generic-failure-left-open");
const PASS: Step = { shell: "npm test", output: "ok\n" };
const FAIL: Step = { shell: "npm test", exit: 1, output: "1 failing\n" };
const EDIT: Step = { edit: "src/app.ts" };

/** An hour after the sessions: one that has not stopped again may still run. */
const LATER = new Date(PROMPT_AT.getTime() + 60 * 60_000);

let folder = "";
let home = "";

beforeEach(() => {
  folder = scratchFolder();
  home = join(folder, "home");
});

const minutesAfter = ({ stoppedAt }: StagedSession, minutes: number) =>
  new Date(stoppedAt.getTime() + minutes * 60_000);

/** Has an agent blocked, go on, and stop again. */
async function play(
  steps: readonly Step[] | null,
  {
    agent = "claude",
    scenario = TESTS,
    isOver = true,
  }: { readonly agent?: ScenarioAgent; readonly scenario?: Scenario; readonly isOver?: boolean } = {},
): Promise<StagedSession> {
  const session = await stageSession(scenario, { agent, folder, home });
  await session.prompt();
  expect(await session.stop()).toContain('"decision":');
  if (steps !== null) session.goOn(steps);
  if (isOver) await session.stop(minutesAfter(session, 5), { stop_hook_active: true });
  return session;
}

function run(args: readonly string[], given: Partial<Environment> = {}): Promise<CliRun> {
  return runCheckpoint(["stats", ...args], { cwd: folder, userHome: folder, home, now: () => LATER, ...given });
}

const figures = async (...args: string[]): Promise<Stats> => JSON.parse((await run(["--json", ...args])).stdout);

test("the stops of all work trees of a repository are counted together", async () => {
  const session = await play([PASS]);
  const tree = join(folder, "tree");
  await execa("git", ["worktree", "add", "--quiet", tree], { cwd: session.project });
  await withStore(home, async (store) => {
    const [stop] = await store.stops.list({ limit: 1 });
    await store.stops.record({ ...stop!, sessionId: "in-the-tree", projectPath: tree });
  });
  const here = async (cwd: string) =>
    JSON.parse((await run(["--json"], { cwd })).stdout) as Stats & { project: string };
  const main = await here(session.project);
  expect(main.stops).toBe(3);
  expect(await here(tree)).toMatchObject({ project: main.project, stops: 3 });
});

test("the stops in a work tree that is gone count for its repository", async () => {
  const session = await stageSession(TESTS, { agent: "claude", folder, home });
  const main = join(folder, "main");
  renameSync(session.project, main);
  await execa("git", ["worktree", "add", "--quiet", session.project], { cwd: main });
  cpSync(main, session.project, { recursive: true, filter: (path) => !path.endsWith(".git") });
  await session.prompt();
  expect(await session.stop()).toContain('"decision":');
  rmSync(session.project, { recursive: true });
  expect(JSON.parse((await run(["--json"], { cwd: main })).stdout)).toMatchObject({ stops: 1, blocked: 1 });
});

describe("what the agent then did", () => {
  const cases: { title: string; steps: readonly Step[]; outcome: string }[] = [
    { title: "ran the tests, and they pass", steps: [PASS], outcome: "done" },
    { title: "ran them until they passed", steps: [FAIL, EDIT, PASS], outcome: "done" },
    { title: "ran them, and they fail", steps: [FAIL], outcome: "partly" },
    { title: "hid their result", steps: [{ shell: "npm test || true" }], outcome: "partly" },
    { title: "changed something after they passed", steps: [PASS, EDIT], outcome: "partly" },
    { title: "did something else", steps: [{ shell: "git status" }], outcome: "ignored" },
    { title: "only spoke of it", steps: [{ shell: "echo npm test" }], outcome: "ignored" },
    { title: "did nothing", steps: [], outcome: "ignored" },
  ];
  // What agents write differently is how a call ended, and that it did.
  const others = cases.filter(({ steps }) => steps.length === 1 && (steps[0] === PASS || steps[0] === FAIL));
  const all = [
    ...cases.map((one) => ({ ...one, agent: "claude" as const })),
    ...others.flatMap((one) => (["gemini", "codex"] as const).map((agent) => ({ ...one, agent }))),
  ];
  test.for(all)("$agent $title: $outcome", async ({ agent, steps, outcome }) => {
    await play(steps, { agent });
    const { rules, unknown } = await figures("--all");
    expect(rules).toMatchObject([{ rule: "tests", asked: 1, outcomes: { [outcome]: 1 }, byAgent: { [agent]: {} } }]);
    expect(unknown).toEqual([]);
  });

  test("and what it took, from the block to the end of the turn", async () => {
    await play([PASS]);
    const { cost } = await figures("--all");
    expect(cost).toMatchObject({ blocks: 1, seconds: expect.any(Number) });
    expect((await run(["--all"])).stdout.replaceAll(/\s+/g, " ")).toContain(
      "From a block to the end of its turn it took",
    );
  });

  test("what came in the next turn is not counted", async () => {
    const session = await play([]);
    const other = await stageSession({ ...TESTS, turn: [PASS] }, { agent: "claude", folder, home });
    appendFileSync(
      session.transcriptPath,
      readFileSync(other.transcriptPath, "utf8").replaceAll("toolu_", "toolu_next_"),
    );
    expect((await figures("--all")).rules).toMatchObject([{ outcomes: { done: 0, ignored: 1 } }]);
  });

  const failures: { title: string; steps: readonly Step[]; outcome: string }[] = [
    { title: "made good", steps: [{ shell: "npm run build" }], outcome: "done" },
    { title: "left open", steps: [{ shell: "git status" }], outcome: "ignored" },
    { title: "tried again", steps: [{ shell: "npm run build", exit: 2, output: "error\n" }], outcome: "partly" },
  ];
  test.for(failures)("a failed command that was $title: $outcome", async ({ steps, outcome }) => {
    await play(steps, { scenario: FAILURE });
    expect((await figures("--all")).rules).toMatchObject([
      { rule: "failed-command", kind: "check", asked: 1, outcomes: { [outcome]: 1 } },
    ]);
  });
});

describe("a waiver", () => {
  /** What came of a block after which the agent only said something. */
  const saidAfter = async (words: string, agent: ScenarioAgent = "claude") => {
    const session = await stageSession(TESTS, { agent, folder, home });
    await session.prompt();
    expect(await session.stop()).toContain('"decision":');
    const length = readFileSync(session.transcriptPath).length;
    session.goOn([]);
    const text = readFileSync(session.transcriptPath, "utf8");
    const reply = text.slice(length).replaceAll(session.facts.lastMessage, words);
    writeFileSync(session.transcriptPath, text.slice(0, length) + reply);
    await session.stop(minutesAfter(session, 5), { stop_hook_active: true });
    await run([]);
    return withStore(home, async (store) =>
      (await store.outcomes.list()).map(({ outcome, note }) => ({ outcome, note })),
    );
  };

  const SENTENCE = "agent-checkpoint: cannot verify tests because the runner needs a licence.";
  test.for(["claude", "gemini"] as const)("%s gives a reason in the documented sentence", async (agent) => {
    expect(await saidAfter(`Done. ${SENTENCE}`, agent)).toEqual([
      { outcome: "waived", note: "the runner needs a licence." },
    ]);
  });

  const others = [
    "I cannot verify the tests.",
    "agent-checkpoint: cannot verify logs because of that",
    "Tests skipped.",
  ];
  test.for(others)("other words are none: %s", async (words) => {
    expect(await saidAfter(words)).toEqual([{ outcome: "ignored", note: null }]);
  });
});

describe("outcomes are facts", () => {
  test("that outlive the transcript", async () => {
    const { transcriptPath } = await play([PASS]);
    const before = await figures("--all");
    expect(before.rules).toMatchObject([{ outcomes: { done: 1 } }]);
    rmSync(transcriptPath);
    expect((await figures("--all")).rules).toEqual(before.rules);
  });

  test("with what the block cost", async () => {
    await play([PASS]);
    await run([]);
    const [outcome] = await withStore(home, (store) => store.outcomes.list());
    expect(outcome).toMatchObject({ rule: "tests", mode: "require", seconds: expect.any(Number) });
  });

  test("that a process of its own records after the next prompt", async () => {
    const session = await play([PASS]);
    await session.prompt();
    await vi.waitFor(
      async () => {
        const outcomes = await withStore(home, (store) => store.outcomes.list());
        expect(outcomes).toMatchObject([{ rule: "tests", outcome: "done" }]);
      },
      { timeout: 15_000, interval: 100 },
    );
  });
});

describe("what is not known", () => {
  const whys = async () => (await figures("--all")).unknown;

  test("the transcript is gone", async () => {
    const { transcriptPath } = await play([PASS]);
    rmSync(transcriptPath);
    expect(await whys()).toEqual([{ why: "transcript-gone", count: 1 }]);
  });

  test("the session still runs", async () => {
    await play(null, { isOver: false });
    expect(await whys()).toEqual([{ why: "still-running", count: 1 }]);
  });

  test("the session still runs, but has done it", async () => {
    await play([PASS], { isOver: false });
    expect((await figures("--all")).rules).toMatchObject([{ outcomes: { done: 1 } }]);
  });

  test("the rules do not ask for it any more", async () => {
    const { project } = await play([PASS]);
    const config = { preset: "generic", categories: [{ id: "source-code", include: ["src/**"], tests: false }] };
    writeFileSync(join(project, "checkpoint.config.json"), JSON.stringify(config));
    expect((await figures("--all")).rules).toMatchObject([{ outcomes: { done: 0, unknown: 1 } }]);
    expect(await whys()).toEqual([{ why: "rules-changed", count: 1 }]);
  });

  test("a record of an older version keeps no place", async () => {
    const stop = {
      projectPath: folder,
      reason: "missing-actions",
      actions: ["tests"],
      observations: [],
      durationMs: 9,
    };
    const claim = { agent: "claude", sessionId: "s", turns: ["t"], at: new Date(), stop } as const;
    await withStore(home, (store) => store.stops.claimBlock(claim));
    expect(await whys()).toEqual([{ why: "no-trail", count: 1 }]);
  });
});

describe("which stops are counted", () => {
  test("those of this repository, of another, or of all", async () => {
    const one = await play([PASS]);
    const other = await play([], { agent: "codex" });
    expect(await figures()).toMatchObject({ stops: 0 });
    expect(JSON.parse((await run(["--json"], { cwd: one.project })).stdout)).toMatchObject({
      stops: 2,
      project: one.project,
      agents: [{ agent: "claude" }],
    });
    expect(await figures("--project", other.project)).toMatchObject({ stops: 2, agents: [{ agent: "codex" }] });
    expect(await figures("--all")).toMatchObject({ stops: 4, blocked: 2, passed: 2, project: null });
    expect(await figures("--all", "--agent", "codex")).toMatchObject({ stops: 2, agent: "codex" });
  });

  test("those since a time", async () => {
    await play([PASS]);
    expect(await figures("--all", "--since", "2026-03-02")).toMatchObject({ stops: 2 });
    expect(await figures("--all", "--since", "2026-03-03")).toMatchObject({
      stops: 0,
      since: "2026-03-03T00:00:00.000Z",
    });
    expect(await run(["--since", "soon"])).toMatchObject({ exitCode: 2, stdout: "" });
    expect(await run(["--all", "--project", "."])).toMatchObject({ exitCode: 2, stdout: "" });
  });

  test("no canaries", async () => {
    const session = await stageSession(TESTS, { agent: "claude", folder, home });
    expect(await session.stop(session.stoppedAt, { agent_checkpoint_canary: true })).toContain("block");
    expect(await figures("--all")).toMatchObject({ stops: 0 });
  });
});

const SENT = ["generic-tests-missing", "generic-failure-left-open", "every-category", "everything-done", "many-files"];
test.for(SENT)("the estimate of a message is close to what was sent: %s", async (name) => {
  const session = await stageSession(loadScenario(name), { agent: "claude", folder, home });
  await session.prompt();
  const { reason } = JSON.parse(await session.stop()) as { reason: string };
  const { messages } = await figures("--all");
  const ratio = (messages.estimatedTokens * 4) / reason.length;
  expect(ratio).toBeGreaterThan(0.8);
  expect(ratio).toBeLessThan(1.25);
});

describe("on a terminal", () => {
  test("says what to do where nothing is recorded", async () => {
    expect((await run([])).stdout).toMatch(/^No stops are recorded in .*\n?.*checkpoint doctor/s);
  });

  test("tells figures, outcomes and noise in 80 columns", async () => {
    await play([]);
    await run([]);
    // The same seven times more.
    await withStore(home, async (store) => {
      const [outcome] = await store.outcomes.list();
      const stops = await store.stops.list();
      for (let count = 1; count < 8; count += 1) {
        for (const stop of stops) await store.stops.record({ ...stop, sessionId: `session-${count}` });
        const last = (await store.stops.list()).find(({ decision }) => decision === "block");
        await store.outcomes.record([{ ...outcome!, stopId: last!.id }]);
      }
    });
    await play([PASS], { agent: "codex" });
    const { stdout } = await run(["--all"], { env: { LANG: "C.UTF-8" } });
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toContain("18 stops in all repositories: 9 blocked, 9 passed, 9 of them because their turn");
    expect(stdout).toMatch(/^tests +9 +1 +0 +8 +0 +0 {2}██░{14}$/m);
    expect(stdout.replaceAll("\n", " ")).toContain("Looks like noise: tests (ignored or waived 8 of 9 times).");
    expect(stdout).toMatch(/^asked-before +9 +100 %/m);
    expect((await run(["--all"], { env: { LANG: "C" } })).stdout).toMatch(/ {2}##-{14}$/m);
  });
});

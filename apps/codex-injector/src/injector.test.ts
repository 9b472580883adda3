import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { loadScenario, loadScenarios, messagePath, PROMPT_AT, type Scenario } from "@agent-checkpoint/fixtures";
import { openStore } from "@agent-checkpoint/store";
import { describe, test, vi } from "vitest";
import { createInjector } from "./injector.ts";
import { stageThread, type ThreadOptions } from "./testing/stage-thread.ts";
import { finishedTurnAt } from "./turns/polled-thread.ts";

const daemon = loadScenario("daemon-change-not-restarted");

/** A staged thread whose finished turn can be handed to an injector. */
async function stage(
  scenario: Scenario,
  { isScreenOpen = true, ...options }: ThreadOptions & { isScreenOpen?: boolean } = {},
) {
  const staged = await stageThread(scenario, options);
  const run = async () => {
    const { signal } = new AbortController();
    const injector = await createInjector(staged.settings, {
      dryRun: false,
      signal,
      isScreenOpen: async () => isScreenOpen,
    });
    const turn = finishedTurnAt(staged.rolloutPath);
    if (turn === null) throw new Error("the rollout ends in no finished turn");
    injector.take(turn);
    await injector.idle();
  };
  return { ...staged, home: staged.settings.home, rollout: staged.rolloutPath, run };
}

describe("by queue, the same message as by hook", () => {
  const scenarios = loadScenarios().filter(({ turn }) => turn !== null);
  test.concurrent.for(scenarios)("$name", async (scenario, { expect: expectHere }) => {
    const { run, sent, facts } = await stage(scenario);
    await run();
    const golden = scenario.blocks ? [readFileSync(messagePath(scenario.name), "utf8")] : [];
    expectHere(sent().map(({ message }) => `${message}\n`)).toEqual(golden);
    expectHere(sent().map(({ thread }) => thread)).toEqual(scenario.blocks ? [facts.sessionId] : []);
  });
});

test.concurrent("a sync is started beside a stop from outside, where the person has joined a team", async ({
  expect: expectHere,
}) => {
  const { run, home } = await stage(daemon);
  const [script, record] = [join(home, "record.cjs"), join(home, "started.txt")];
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(
    script,
    `require("node:fs").writeFileSync(${JSON.stringify(record)}, process.argv.slice(2).join(" "));`,
  );
  writeFileSync(join(home, "team.json"), JSON.stringify({ program: [process.execPath, script] }));
  await run();
  await vi.waitFor(() => expectHere(readFileSync(record, "utf8")).toBe("sync --background"), { timeout: 15_000 });
});

describe("one delivery per turn", () => {
  test.concurrent("is recorded with its route, and the same turn is not delivered again", async ({
    expect: expectHere,
  }) => {
    const { run, sent, stops, rollout } = await stage(daemon);
    const before = readFileSync(rollout, "utf8");
    await run();
    writeFileSync(rollout, before);
    await run();
    expectHere(sent()).toHaveLength(1);
    expectHere((await stops()).map(({ decision, reason, route }) => [decision, reason, route])).toEqual([
      ["block", "missing-actions", "queue"],
      ["pass", "already-blocked", "queue"],
    ]);
  });

  test.concurrent("the turn that our message opened belongs to the human's, and passes", async ({
    expect: expectHere,
  }) => {
    const { run, sent, stops, rollout, facts } = await stage(daemon);
    await run();
    const turnId = "ffffffff-0000-7000-8000-000000000001";
    const end = { type: "task_complete", turn_id: turnId, last_agent_message: "Restarted.", duration_ms: 1 };
    const line = { timestamp: "2026-03-02T09:30:00.000Z", ordinal: 1000, type: "event_msg", payload: end };
    appendFileSync(rollout, `${JSON.stringify(line)}\n`);
    await run();
    expectHere(sent()).toHaveLength(1);
    expectHere((await stops()).map(({ reason }) => reason)).toEqual(["missing-actions", "already-blocked"]);
    expectHere(facts.promptId).not.toBe(turnId);
  });

  test.concurrent("what the hook has judged is left to it", async ({ expect: expectHere }) => {
    const { run, sent, home, facts } = await stage(daemon, { forced: null });
    const opened = await openStore(home);
    if (!opened.ok) throw new Error(opened.detail);
    const row = { projectPath: facts.projectPath, reason: "timer", actions: [], observations: [], durationMs: 1 };
    await opened.store.stops.record({
      ...row,
      agent: "codex",
      sessionId: facts.sessionId,
      turn: facts.promptId,
      at: PROMPT_AT,
      decision: "pass",
    });
    await opened.store.close();
    await run();
    expectHere(sent()).toEqual([]);
  });

  test.concurrent("a block of the hook that the rollout does not show is delivered from outside", async ({
    expect: expectHere,
  }) => {
    const { run, sent, stops, home, facts } = await stage(daemon, { forced: null });
    const opened = await openStore(home);
    if (!opened.ok) throw new Error(opened.detail);
    const stop = {
      projectPath: facts.projectPath,
      reason: "missing-actions",
      actions: [],
      observations: [],
      durationMs: 1,
    };
    await opened.store.stops.claimBlock({
      agent: "codex",
      sessionId: facts.sessionId,
      turns: [facts.promptId],
      at: PROMPT_AT,
      stop,
    });
    await opened.store.close();
    await run();
    expectHere(sent()).toHaveLength(1);
    expectHere((await stops()).map(({ decision, reason, route }) => [decision, reason, route])).toEqual([
      ["pass", "hook-not-heard", "hook"],
      ["block", "missing-actions", "queue"],
    ]);
  });
});

describe("a message that does not arrive", () => {
  test.concurrent("is tried once more", async ({ expect: expectHere }) => {
    const { run, sent, stops } = await stage(daemon, { refusals: 1 });
    await run();
    expectHere(sent().map(({ isRefused }) => isRefused)).toEqual([true, false]);
    expectHere((await stops()).map(({ decision }) => decision)).toEqual(["block"]);
  });

  test.concurrent("is recorded as such, and leaves no stamp", async ({ expect: expectHere }) => {
    const { run, sent, stops, home, facts } = await stage(daemon, { refusals: 9 });
    await run();
    expectHere(sent()).toHaveLength(2);
    expectHere((await stops()).map(({ decision, reason }) => [decision, reason])).toEqual([["pass", "queue-refused"]]);
    const opened = await openStore(home);
    const session = opened.ok
      ? (await opened.store.sessions.list({ agent: "codex", sessionId: facts.sessionId }))[0]
      : null;
    if (opened.ok) await opened.store.close();
    expectHere(session).toMatchObject({ lastCheckpointAt: null, lastBlockedTurn: null, route: "queue" });
  });

  const generic = loadScenario("generic-tests-missing");
  const deliveries = [
    { how: "arrived", refusals: 0, asked: 1 },
    { how: "did not arrive", refusals: 9, asked: 0 },
  ];
  test.concurrent.for(deliveries)(
    "leaves its files to a later turn: $asked counts as asked about where it $how",
    async ({ refusals, asked }, { expect: expectHere }) => {
      const { run, home } = await stage(generic, { refusals });
      await run();
      const database = new DatabaseSync(join(home, "checkpoint.db"), { readOnly: true });
      const rows = database.prepare("SELECT * FROM proofs").all();
      database.close();
      expectHere(rows).toHaveLength(asked);
    },
  );

  const reasons = [
    { title: "no screen is open", options: { isScreenOpen: false }, reason: "no-open-screen" },
    { title: "the route is forced to the hook", options: { forced: "hook" as const }, reason: null },
  ];
  test.concurrent.for(reasons)("is not sent when $title", async ({ options, reason }, { expect: expectHere }) => {
    const { run, sent, stops } = await stage(daemon, options);
    await run();
    expectHere(sent()).toEqual([]);
    expectHere((await stops()).map((stop) => stop.reason)).toEqual(reason === null ? [] : [reason]);
  });
});

test.concurrent("less than 30 seconds after the prompt nothing is sent", async ({ expect: expectHere }) => {
  const { run, sent, stops } = await stage({ ...daemon, minutes: 0.4 });
  await run();
  expectHere(sent()).toEqual([]);
  expectHere((await stops()).map(({ reason }) => reason)).toEqual(["timer"]);
});

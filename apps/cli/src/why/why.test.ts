import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadScenario, loadScenarios, PROMPT_AT, type Scenario, type ScenarioAgent } from "@agent-checkpoint/fixtures";
import { createCheckpoint } from "@agent-checkpoint/snapshots";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { renderStop } from "../dashboard/render-stop.ts";
import { type CliRun, runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { type StagedSession, stageSession } from "../testing/stage-session.ts";
import { withStore } from "../with-store.ts";
import type { StopReport } from "./stop-report.ts";

beforeAll(() => vi.stubEnv("TZ", "UTC"));
afterAll(() => vi.unstubAllEnvs());

interface Staged extends StagedSession {
  readonly folder: string;
  readonly why: (...args: string[]) => Promise<CliRun>;
}

async function stage(scenario: Scenario, agent: ScenarioAgent = "claude"): Promise<Staged> {
  const folder = scratchFolder();
  const home = join(folder, "home");
  const session = await stageSession(scenario, { agent, folder, home });
  const why = (...args: string[]) => runCheckpoint(["why", ...args], { cwd: session.project, userHome: folder, home });
  return { ...session, folder, why };
}

/** The output without what differs from run to run. */
function settled(text: string, { folder, facts }: Staged): string {
  return text
    .replaceAll(folder, "/home/dev")
    .replaceAll(facts.sessionId, "<session>")
    .replaceAll(/byte \d+/g, "byte <n>");
}

const golden = (name: string) => fileURLToPath(new URL(`./golden/${name}.txt`, import.meta.url));
const report = ({ stdout }: CliRun) => JSON.parse(stdout) as StopReport;
const seconds = (count: number) => new Date(PROMPT_AT.getTime() + count * 1000);

const MENTIONS: Scenario = {
  ...loadScenario("generic-tests-missing"),
  turn: [
    { read: "src/server.ts" },
    { edit: "src/server.ts" },
    { shell: "echo 'now run npm test'" },
    { shell: "git commit --dry-run -m 'Back off; npm test passes'", exit: 1 },
    { shell: "cat > NOTES <<'END'\nnpm test\nEND" },
    { shell: "ls # npm test" },
    { shell: "cd /tmp && npm test" },
  ],
};

const GOLDEN: {
  name: string;
  scenario?: Scenario;
  agent?: ScenarioAgent;
  play: (session: Staged) => Promise<unknown>;
}[] = [
  { name: "daemon-change-not-restarted", play: ({ stop }) => stop() },
  { name: "test-failures-left-open", play: ({ stop }) => stop() },
  { name: "tests-before-the-last-edit", play: ({ stop }) => stop() },
  { name: "masked-exit-status", play: ({ stop }) => stop() },
  { name: "only-mentioned", scenario: MENTIONS, play: ({ stop }) => stop() },
  { name: "restart-without-status", agent: "gemini", play: ({ stop }) => stop() },
  { name: "everything-done", agent: "codex", play: ({ stop }) => stop() },
  { name: "every-category", play: ({ stop }) => stop() },
  { name: "hostile-file-names", play: ({ stop }) => stop() },
  { name: "docs-only", play: ({ stop }) => stop() },
  { name: "generic-hygiene-alone", play: ({ stop }) => stop() },
  { name: "generic-not-this-session", play: ({ stop }) => stop() },
  { name: "no-repository", play: ({ stop }) => stop() },
  { name: "config-broken", play: ({ stop }) => stop() },
  {
    name: "passed-by-timer",
    scenario: loadScenario("daemon-change-not-restarted"),
    play: ({ stop }) => stop(seconds(12)),
  },
  {
    name: "already-blocked",
    scenario: loadScenario("daemon-change-not-restarted"),
    play: async ({ stop, stoppedAt }) => {
      await stop();
      await stop(new Date(stoppedAt.getTime() + 60_000));
    },
  },
  {
    name: "agent-says-blocked",
    scenario: loadScenario("daemon-change-not-restarted"),
    play: async ({ stop, stoppedAt }) => {
      await stop();
      await stop(new Date(stoppedAt.getTime() + 60_000), { stop_hook_active: true });
    },
  },
  {
    name: "transcript-gone",
    scenario: loadScenario("tests-before-the-last-edit"),
    play: async ({ stop, transcriptPath }) => {
      await stop();
      rmSync(transcriptPath);
    },
  },
  {
    name: "rules-changed-since",
    scenario: loadScenario("generic-tests-missing"),
    play: async ({ stop, project }) => {
      await stop();
      writeFileSync(join(project, "checkpoint.config.json"), '{"preset": "teleclaude"}');
    },
  },
];
test.for(GOLDEN)("$name", async ({ name, scenario = loadScenario(name), agent, play }) => {
  const session = await stage(scenario, agent);
  await session.prompt();
  await play(session);
  const { exitCode, stdout, stderr } = await session.why();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  await expect(settled(stdout, session)).toMatchFileSnapshot(golden(name));
});

const AGENTS = ["claude", "gemini", "codex"] as const;
const everyScenario = loadScenarios().map((scenario, index) => ({
  scenario,
  agent: AGENTS[index % AGENTS.length] ?? "claude",
  name: scenario.name,
}));
test.for(everyScenario)("explains what was said: $name, $agent", async ({ scenario, agent }) => {
  const session = await stage(scenario, agent);
  await session.prompt();
  await session.stop();
  const { stop, actions, observations, notes } = report(await session.why("--json"));
  const open = actions?.filter(({ status }) => status === "open").map(({ id }) => id);
  expect(open ?? stop.actions).toEqual(stop.actions);
  expect(observations?.map(({ text }) => text) ?? stop.observations).toEqual(stop.observations);
  expect(notes.filter((note) => note.includes("changed since"))).toEqual([]);
});

describe.for(AGENTS)("%s", (agent) => {
  test("shows the turn as it was at the stop, not as it went on", async () => {
    const session = await stage(loadScenario("daemon-change-not-restarted"), agent);
    await session.prompt();
    await session.stop();
    const before = report(await session.why("--json"));
    session.goOn([{ shell: "make restart && make status", output: "running" }, { shell: "pytest -q" }]);
    expect(report(await session.why("--json"))).toEqual(before);
    expect(before.turn).toMatchObject({ promptText: session.facts.prompt, problem: null, callCount: 2 });
  });

  test("names the line at which the turn began", async () => {
    const session = await stage(loadScenario("daemon-change-not-restarted"), agent);
    await session.prompt();
    await session.stop();
    const { turn } = report(await session.why("--json"));
    const bytes = readFileSync(session.transcriptPath);
    expect(bytes.subarray(turn?.offset ?? 0).toString()).toMatch(/^\{/);
    expect(bytes.toString().split("\n")[(turn?.line ?? 0) - 1]).toContain(session.facts.prompt);
    expect(bytes.subarray(turn?.offset ?? 0).toString()).toContain(session.facts.prompt);
  });
});

describe("which stop", () => {
  test("is meant: the last one here, one by its number, one of a session, the last one anywhere", async () => {
    const folder = scratchFolder();
    const home = join(folder, "home");
    const scenario = loadScenario("daemon-change-not-restarted");
    const [one, other] = [
      await stageSession(scenario, { agent: "claude", folder, home }),
      await stageSession(scenario, { agent: "gemini", folder, home }),
    ];
    for (const session of [one, other]) {
      await session.prompt();
      await session.stop();
    }
    const why = async (cwd: string, ...args: string[]) => {
      const { stop } = report(await runCheckpoint(["why", "--json", ...args], { cwd, userHome: folder, home }));
      return stop.id;
    };
    expect(await why(one.project)).toBe(1);
    expect(await why(join(one.project, "teleclaude"))).toBe(1);
    expect(await why(other.project)).toBe(2);
    expect(await why(other.project, "1")).toBe(1);
    expect(await why(other.project, "--session", one.facts.sessionId.slice(0, 13))).toBe(1);
    expect(await why(folder, "--all")).toBe(2);
    expect(await why(folder, "--all", "--agent", "claude")).toBe(1);
  });

  test("after a block is the block, and the pass behind it by its number", async () => {
    const session = await stage(loadScenario("daemon-change-not-restarted"), "claude");
    await session.prompt();
    await session.stop();
    await session.stop(new Date(session.stoppedAt.getTime() + 60_000));
    expect(report(await session.why("--json"))).toMatchObject({ stop: { id: 1 }, block: null, passedAfter: 2 });
    expect(report(await session.why("2", "--json"))).toMatchObject({ stop: { id: 2 }, block: 1, passedAfter: null });
  });

  const faults = [
    { args: [], error: "error: no stop is recorded in" },
    { args: ["--all"], error: "error: no stop is recorded anywhere" },
    { args: ["--session", "x\u001B[2J"], error: String.raw`error: no stop is recorded of session x\x1b[2J` },
    { args: ["7"], error: "error: there is no stop 7" },
    { args: ["last\n"], error: String.raw`error: last\n is not the number of a stop` },
  ];
  test.for(faults)("is not there: $args", async ({ args, error }) => {
    const folder = scratchFolder();
    const run = await runCheckpoint(["why", ...args], { cwd: folder, userHome: folder, home: join(folder, "home") });
    expect(run).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(error) });
  });
});

test("what came of a block is shown with its cost, as the record has it", async () => {
  const session = await stage(loadScenario("generic-tests-missing"));
  await session.prompt();
  await session.stop();
  expect(report(await session.why("--json"))).toMatchObject({ outcomes: [], cost: null });
  const shared = { stopId: 1, kind: "action", agent: "claude", repository: session.project, why: null } as const;
  const judged = { at: session.stoppedAt, judgedAt: session.stoppedAt, seconds: 130, tokens: 4200 };
  const note = "the runner needs a licence";
  await withStore(join(session.folder, "home"), (store) =>
    store.outcomes.record([
      { ...shared, ...judged, rule: "tests", mode: "require", outcome: "waived", note },
      { ...shared, ...judged, rule: "check-lint", mode: "shadow", outcome: "escaped", note: null },
    ]),
  );
  expect((await session.why()).stdout).toContain(
    "What came of it\n  check-lint (shadow): escaped: committed or left without it\n  tests: waived, because the runner needs a licence\n  The rest of the turn took 2 min and 4,200 tokens.\n",
  );
  expect(report(await session.why("--json"))).toMatchObject({
    outcomes: [{ rule: "check-lint" }, { rule: "tests", outcome: "waived", note }],
    cost: { seconds: 130, tokens: 4200 },
  });
});

test("what a rule in shadow has found is not shown as asked for, here and on the page of the stop", async () => {
  const scenario = loadScenario("generic-tests-missing");
  const config = JSON.stringify({ scope: "tree", modes: { tests: "shadow" } });
  const session = await stage({ ...scenario, contents: { ...scenario.contents, "checkpoint.config.json": config } });
  await session.prompt();
  expect(await session.stop()).toBe("");
  const { stdout } = await session.why();
  expect(stdout).toContain("  tests: open, not said (shadow), would be asked for by src/");
  expect(stdout).not.toContain(", asked for by");
  const page = renderStop(report(await session.why("--json")));
  expect(page).toContain("<h3>tests: open, not said (shadow)</h3>");
  expect(page).toContain('<span class="small">would be asked for by src/');
});

test("the message of a block is made again, letter by letter", async () => {
  const session = await stage(loadScenario("generic-tests-missing"));
  await session.prompt();
  const said = (JSON.parse(await session.stop()) as { reason: string }).reason;
  expect(report(await session.why("--json")).message).toBe(said);
  writeFileSync(join(session.project, "checkpoint.config.json"), '{"preset": "teleclaude"}');
  expect(report(await session.why("--json")).message).toBeNull();
});

test("the snapshots beside stops are shown with the command that goes back, here and on the page of the stop", async () => {
  const session = await stage(loadScenario("generic-tests-missing"));
  const { project, folder, facts } = session;
  const take = async (at: Date, reason: string) => {
    const result = await createCheckpoint(
      { scope: ["."], reason },
      { cwd: project, home: join(folder, "home"), userHome: folder, now: () => at },
    );
    if (result.status !== "created") throw new Error(result.message);
    return result.report.checkpoint?.id;
  };
  const before = await take(seconds(-60), "stop of turn another of session another");
  await session.prompt();
  await session.stop();
  const { stop } = report(await session.why("--json"));
  await take(new Date(stop.at), "asked for");
  expect(report(await session.why("--json")).snapshots).toEqual({ atStop: null, beforeTurn: before });
  const beside = await take(new Date(stop.at), `stop of turn ${facts.promptId} of session ${facts.sessionId}`);
  expect(report(await session.why("--json")).snapshots).toEqual({ atStop: beside, beforeTurn: before });
  expect((await session.why()).stdout).toContain(
    `Go back\n  before this turn  checkpoint snapshot restore ${before} --remove-new\n  to this stop      checkpoint snapshot restore ${beside} --remove-new\n`,
  );
  const page = renderStop(report(await session.why("--json")));
  for (const id of [before, beside])
    expect(page).toContain(`<code>checkpoint snapshot restore ${id} --remove-new</code>`);
});

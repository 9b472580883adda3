import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  loadScenario,
  loadScenarios,
  messagePath,
  PROMPT_AT,
  type Scenario,
  type ScenarioAgent,
} from "@agent-checkpoint/fixtures";
import { openStore } from "@agent-checkpoint/store";
import { describe, expect, test } from "vitest";
import { type CliRun, runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { type StagedSession, stageSession } from "../testing/stage-session.ts";

interface Staged extends StagedSession {
  readonly folder: string;
  readonly home: string;
  readonly preview: (args?: readonly string[], at?: Date) => Promise<CliRun>;
}

async function stage(scenario: Scenario, agent: ScenarioAgent = "claude"): Promise<Staged> {
  const folder = scratchFolder();
  const home = join(folder, "home");
  const session = await stageSession(scenario, { agent, folder, home });
  const preview = (args: readonly string[] = [], at = session.stoppedAt) =>
    runCheckpoint(["preview", ...args], {
      cwd: session.project,
      userHome: folder,
      home,
      now: () => at,
      env: scenario.slug === undefined ? {} : { CHECKPOINT_WORKING_SLUG: scenario.slug },
    });
  return { ...session, folder, home, preview };
}

const daemon = loadScenario("daemon-change-not-restarted");
const message = (name: string) => readFileSync(messagePath(name), "utf8").replace(/\n$/, "");

const AGENTS = ["claude", "gemini", "codex"] as const;
const blocking = loadScenarios()
  .filter(({ blocks }) => blocks)
  .map((scenario, index) => ({ scenario, agent: AGENTS[index % 3] ?? "claude", name: scenario.name }));
test.for(blocking)("is the message of the stop, to the byte: $name, $agent", async ({ scenario, agent, name }) => {
  const session = await stage(scenario, agent);
  await session.prompt();
  const { exitCode, stdout, stderr } = await session.preview();
  expect(stdout).toBe(message(name));
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^A stop now would be blocked with this message \(\w+ session [\w-]+\)\. [^\n]+\n$/);
});

test("records nothing, makes nothing, and takes no block", async () => {
  const untouched = await stage(daemon);
  await untouched.preview();
  expect(existsSync(untouched.home)).toBe(false);

  const session = await stage(daemon);
  await session.prompt();
  const rows = async () => {
    const opened = await openStore(session.home);
    if (!opened.ok) throw new Error(opened.detail);
    const { store } = opened;
    const all = [await store.stops.list(), await store.sessions.list()];
    await store.close();
    return all;
  };
  const before = await rows();
  await session.preview();
  expect(await rows()).toEqual(before);
  expect(readdirSync(session.home).filter((name) => /log|journal/.test(name))).toEqual([]);
  expect(await session.stop()).toContain("still required");
});

describe("says why a stop would pass", () => {
  test("too soon after the prompt", async () => {
    const session = await stage(daemon);
    await session.prompt();
    const run = await session.preview([], new Date(PROMPT_AT.getTime() + 12_000));
    expect(run).toMatchObject({ exitCode: 0, stdout: message(daemon.name).replace("--since 4m", "--since 2m") });
    expect(run.stderr).toContain("A stop now would pass without this message");
    expect(run.stderr).toContain("12 seconds after the prompt");
  });

  test("blocked before", async () => {
    const session = await stage(daemon);
    await session.prompt();
    await session.stop();
    const later = new Date(session.stoppedAt.getTime() + 600_000);
    expect((await session.preview([], later)).stderr).toContain("This turn was already blocked");
  });

  test("nothing worth a block", async () => {
    const session = await stage(loadScenario("generic-done"));
    await session.prompt();
    const { stdout } = await session.preview(["--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ deliver: false, reason: "all-clear", actions: [] });
  });
});

describe("whose turn it looks at", () => {
  const cases: { title: string; args: (session: Staged) => string[]; seen: object; prompt?: boolean }[] = [
    { title: "the newest session here", args: () => [], seen: { agent: "claude", filesAlone: null } },
    {
      title: "one by how its id begins",
      args: ({ facts }) => ["--session", facts.sessionId.slice(0, 8)],
      seen: { agent: "claude", filesAlone: null },
    },
    {
      title: "that of a transcript, which the record knows",
      args: ({ transcriptPath }) => ["--transcript", transcriptPath],
      seen: { agent: "claude", sessionId: expect.any(String), filesAlone: null },
    },
    {
      title: "that of a transcript, which the record does not know",
      prompt: false,
      args: ({ transcriptPath }) => ["--transcript", transcriptPath],
      seen: { agent: "claude", sessionId: null, deliver: true, filesAlone: null },
    },
    {
      title: "none, since there is none",
      prompt: false,
      args: () => [],
      seen: { agent: null, filesAlone: "nothing is recorded yet", deliver: true, problem: null },
    },
    {
      title: "none of that agent",
      args: () => ["--agent", "codex"],
      seen: { agent: null, filesAlone: expect.stringContaining("no session is known in") },
    },
    { title: "none, as asked", args: () => ["--files-only"], seen: { agent: null, filesAlone: "as asked" } },
  ];
  test.for(cases)("$title", async ({ args, seen, prompt = true }) => {
    const session = await stage(daemon);
    if (prompt) await session.prompt();
    const { exitCode, stdout } = await session.preview(["--json", ...args(session)]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ actions: ["restart-daemon", "check-logs", "tests"], ...seen });
  });

  test("one that only its agent's folder knows", async () => {
    const session = await stage(daemon);
    const projects = join(session.folder, ".claude/projects/x");
    mkdirSync(projects, { recursive: true });
    const transcriptPath = join(projects, `${session.facts.sessionId}.jsonl`);
    renameSync(session.transcriptPath, transcriptPath);
    const { stdout } = await session.preview(["--json", "--session", session.facts.sessionId]);
    expect(JSON.parse(stdout)).toMatchObject({ agent: "claude", transcriptPath, filesAlone: null });
  });

  test("one that nobody knows is an error", async () => {
    const session = await stage(daemon);
    expect(await session.preview(["--session", "nobody\u001B[2J"])).toMatchObject({ exitCode: 2, stdout: "" });
    const text = join(session.folder, "notes.txt");
    writeFileSync(text, "no transcript\n");
    const refused = await session.preview(["--transcript", text]);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("is not a transcript of a session") });
  });
});

test("nothing in the message can act on a terminal, nor behind a pipe", async () => {
  const config = { preset: "teleclaude", actions: [{ id: "tests", instruction: "Run \u202Eit", steps: ["pytest"] }] };
  const contents = { "checkpoint.config.json": JSON.stringify(config) };
  const { project: cwd, folder: userHome, home } = await stage({ ...daemon, contents });
  const shown = await runCheckpoint(["preview"], { cwd, userHome, home, isTerminal: true });
  expect(shown.stdout).toContain(String.raw`2. Run \u{202e}it`);
  const piped = await runCheckpoint(["preview"], { cwd, userHome, home });
  expect(piped.stdout).toContain(String.raw`2. Run \u{202e}it`);
});

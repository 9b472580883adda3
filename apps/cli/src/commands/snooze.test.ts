import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { loadScenario } from "@agent-checkpoint/fixtures";
import { execa } from "execa";
import { beforeEach, describe, expect, test } from "vitest";
import type { Environment } from "../environment.ts";
import { type CliRun, runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { stageSession } from "../testing/stage-session.ts";
import { withStore } from "../with-store.ts";

const NOON = new Date(2026, 10, 16, 12, 0);
const later = (date: Date, minutes: number) => new Date(date.getTime() + minutes * 60_000);

let folder = "";
let home = "";
let repository = "";

beforeEach(async () => {
  folder = scratchFolder();
  home = join(folder, "home");
  repository = join(folder, "app");
  mkdirSync(join(repository, "src"), { recursive: true });
  await execa("git", ["init", "--quiet"], { cwd: repository });
});

function run(words: string, given: Partial<Environment> = {}): Promise<CliRun> {
  const args = words === "" ? [] : words.split(" ");
  return runCheckpoint(["snooze", ...args], { cwd: repository, userHome: folder, home, now: () => NOON, ...given });
}

function withSession(agent: "claude" | "codex", sessionId: string): Promise<void> {
  const prompt = { projectPath: repository, transcriptPath: null, turn: "t", at: later(NOON, -5) };
  return withStore(home, (store) => store.sessions.prompt({ ...prompt, agent, sessionId }));
}

describe("a repository", () => {
  test("is snoozed by its root, from a folder inside of it, until the time given", async () => {
    const { exitCode, stdout } = await run("until 18:00 --reason demo --json", { cwd: join(repository, "src") });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      scope: { kind: "project", projectPath: repository },
      from: NOON.toISOString(),
      until: new Date(2026, 10, 16, 18, 0).toISOString(),
      reason: "demo",
      madeBy: expect.any(String),
      madeIn: join(repository, "src"),
    });
  });

  test("is told in words", async () => {
    expect(await run("30m")).toEqual({
      exitCode: 0,
      stderr: "",
      stdout: [
        `Snoozed until 12:30: stops in ${repository} pass without a checkpoint.\n`,
        "End it sooner: checkpoint snooze --off\n",
      ].join(""),
    });
  });

  test("is shown where one is, and listed everywhere", async () => {
    await run("30m --reason demo");
    const elsewhere = { cwd: folder };
    expect((await run("")).stdout).toMatch(/^UNTIL {2}STOPS .*\n12:30 {2}in \S+\/app {2}\S+ +demo\n$/);
    expect((await run("", elsewhere)).stdout).toBe("Nothing is snoozed here.\n");
    expect((await run("list", elsewhere)).stdout).toContain(`12:30  in ${repository}`);
    expect(JSON.parse((await run("list --json", elsewhere)).stdout).snoozes).toHaveLength(1);
    expect((await run("list", { now: () => later(NOON, 30) })).stdout).toBe("Nothing is snoozed.\n");
  });

  test("is judged again at once", async () => {
    await run("30m");
    expect((await run("--off")).stdout).toBe(`Stops in ${repository} are judged again.\n`);
    expect((await run("--off")).stdout).toBe(`Stops in ${repository} were not snoozed.\n`);
    expect((await run("list")).stdout).toBe("Nothing is snoozed.\n");
  });

  test("is one, and its worktree another", async () => {
    const git = (...args: string[]) =>
      execa("git", ["-c", "user.name=Dev", "-c", "user.email=dev@example.com", ...args], { cwd: repository });
    await git("commit", "--quiet", "--allow-empty", "--message", "start");
    await git("worktree", "add", "--quiet", join(repository, "tree"));
    await run("30m");
    expect((await run("", { cwd: join(repository, "tree") })).stdout).toBe("Nothing is snoozed here.\n");
  });
});

describe("a session", () => {
  test("is found by how its id begins", async () => {
    await withSession("codex", "01a1e2d3-5225");
    const { stdout } = await run("2h --session 01a1 --json");
    expect(JSON.parse(stdout).scope).toEqual({ kind: "session", agent: "codex", sessionId: "01a1e2d3-5225" });
    expect((await run("--off --session 01a1e2d3-5225")).stdout).toBe(
      "Stops of codex session 01a1e2d3-5225 are judged again.\n",
    );
  });

  test("that is not known, or is one of several, is refused", async () => {
    await withSession("codex", "01a1");
    await withSession("claude", "01a2");
    expect(await run("2h --session 7")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/no session 7 is known/),
    });
    expect(await run("2h --session 01a")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/2 sessions begin with 01a/),
    });
    expect(await run("2h --session 01a --agent claude")).toMatchObject({ exitCode: 0 });
  });
});

describe("what is refused", () => {
  const cases = [
    { words: "soon", stderr: /"soon" is not a time; write 30m/ },
    { words: "8d", stderr: /"8d" is more than 7 days away/ },
    { words: "30m --off", stderr: /exclude each other/ },
    { words: "30m --agent cursor", stderr: /Allowed choices are claude, gemini, codex/ },
  ];
  test.for(cases)("$words", async ({ words, stderr }) => {
    expect(await run(words)).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringMatching(stderr) });
    expect((await run("list")).stdout).toBe("Nothing is snoozed.\n");
  });
});

describe("an agent's shell call", () => {
  const CODEX = { CODEX_THREAD_ID: "01a1", CODEX_CI: "1" };
  const CLAUDE = { CLAUDECODE: "1" };
  const yes = async () => "snooze\n";
  const no = async () => "";
  const cases: { title: string; words: string; env: Environment["env"]; ask?: Environment["ask"]; said: RegExp }[] = [
    { title: "Claude Code's", words: "30m", env: CLAUDE, said: /shell call of Claude Code \(CLAUDECODE is set\)/ },
    { title: "Gemini CLI's", words: "30m", env: { GEMINI_CLI: "1" }, said: /shell call of Gemini CLI/ },
    { title: "Codex's", words: "30m", env: CODEX, said: /shell call of Codex \(CODEX_THREAD_ID is set\)/ },
    { title: "one with a terminal", words: "30m", env: CODEX, ask: yes, said: /only a person may snooze/ },
    { title: "one that ends a snooze", words: "--off", env: CODEX, said: /only a person/ },
    { title: "one that forces it", words: "30m --force", env: CODEX, said: /--force needs a person at a terminal/ },
    { title: "one that gives no answer", words: "30m --force", env: CODEX, ask: no, said: /not confirmed/ },
  ];
  test.for(cases)("$title is refused", async ({ words, env, ask = null, said }) => {
    expect(await run(words, { env, ask })).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringMatching(said),
    });
    expect((await run("list")).stdout).toBe("Nothing is snoozed.\n");
  });

  test("may look at what is snoozed", async () => {
    await run("30m");
    expect(await run("list", { env: CLAUDE })).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("12:30") });
  });

  test("in a terminal is forced by a person who answers", async () => {
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return yes();
    };
    expect(await run("30m --force", { env: CLAUDE, ask })).toMatchObject({ exitCode: 0 });
    expect(questions).toEqual([expect.stringContaining("Type snooze to continue: ")]);
    expect((await run("list")).stdout).toContain("12:30");
  });
});

describe("the built hook", () => {
  const scenario = loadScenario("generic-tests-missing");
  const decisions = () =>
    withStore(home, async (store) => (await store.stops.list()).map(({ decision, reason }) => [decision, reason]));

  test.for(["claude", "gemini", "codex"] as const)(
    "%s: passes while it is snoozed, and blocks after",
    async (agent) => {
      const session = await stageSession(scenario, { agent, folder, home });
      const { stoppedAt, project } = session;
      await run("30m", { cwd: project, now: () => later(stoppedAt, -10) });
      await session.prompt();
      expect(await session.stop(stoppedAt)).toBe(agent === "codex" ? "{}" : "");
      expect(await session.stop(later(stoppedAt, 20))).toContain('"decision":');
      expect(await decisions()).toEqual([
        ["block", "missing-actions"],
        ["pass", "snoozed"],
      ]);
    },
  );

  test("another repository, and another session, are not affected", async () => {
    const session = await stageSession(scenario, { agent: "claude", folder, home });
    const at = later(session.stoppedAt, -10);
    await withSession("claude", "another");
    await run("30m", { now: () => at });
    await run("30m --session another", { now: () => at });
    await session.prompt();
    expect(await session.stop()).toContain('"decision":"block"');
  });

  test("a session is let go by its own snooze", async () => {
    const session = await stageSession(scenario, { agent: "claude", folder, home });
    await session.prompt();
    await run(`30m --session ${session.facts.sessionId}`, { now: () => later(session.stoppedAt, -1) });
    expect(await session.stop()).toBe("");
  });

  test("a clock that is set back before the snooze was made has it judge again", async () => {
    const session = await stageSession(scenario, { agent: "claude", folder, home });
    await run("7d", { cwd: session.project, now: () => later(session.stoppedAt, 60) });
    await session.prompt();
    expect(await session.stop()).toContain('"decision":"block"');
  });

  test("a snooze that was ended lets nothing go", async () => {
    const session = await stageSession(scenario, { agent: "claude", folder, home });
    const now = () => later(session.stoppedAt, -1);
    await run("30m", { cwd: session.project, now });
    await run("--off", { cwd: session.project, now });
    await session.prompt();
    expect(await session.stop()).toContain('"decision":"block"');
  });
});

import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadScenario } from "@agent-checkpoint/fixtures";
import { execa, execaSync } from "execa";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type StagedThread, stageThread } from "./testing/stage-thread.ts";

const PROGRAM = fileURLToPath(new URL("../dist/checkpoint-codex.mjs", import.meta.url));
const HAS_TMUX = execaSync("tmux", ["-V"], { reject: false }).exitCode === 0;
const MEGABYTE = 1_000_000;
const daemon = loadScenario("daemon-change-not-restarted");

/** Starts the built program for a staged thread. */
function start({ settings }: StagedThread, ...args: string[]) {
  if (!existsSync(PROGRAM)) throw new Error("build first: npm run build");
  const env = { ...settings.env, CHECKPOINT_HOME: settings.home, CODEX_HOME: settings.codexHome };
  return execa(process.execPath, [PROGRAM, ...args, "--codex", settings.codex], {
    env,
    extendEnv: false,
    reject: false,
    timeout: 60_000,
  });
}

/** Settles when the program has said on stderr that it watches. */
function saysThatItWatches({ stderr }: ReturnType<typeof start>): Promise<void> {
  let text = "";
  return new Promise((resolve) => {
    stderr.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.includes("watching")) resolve();
    });
  });
}

const isWatching = (staged: StagedThread) => existsSync(join(staged.settings.home, "codex-injector.lock"));

describe("called wrongly it says what to do, and exits with 2", () => {
  const calls = [
    { args: [], says: "a command is missing" },
    { args: ["wach"], says: "unknown command wach" },
    { args: ["notify"], says: "notify needs Codex's JSON" },
    { args: ["watch", "--route", "mail"], says: "--route should be hook, queue or tmux; found mail" },
    { args: ["watch", "--loud"], says: "--loud" },
  ];
  test.for(calls)("$args", async ({ args, says }) => {
    const { exitCode, stderr } = await execa(process.execPath, [PROGRAM, ...args], { reject: false });
    expect({ exitCode, says: stderr.includes(says) }).toEqual({ exitCode: 2, says: true });
  });
});

test("a second instance is refused with 3, and SIGTERM ends the first with 0", async () => {
  const staged = await stageThread(daemon);
  const first = start(staged, "watch");
  await vi.waitUntil(() => isWatching(staged), { timeout: 20_000 });
  const second = await start(staged, "watch");
  expect({ exitCode: second.exitCode, says: second.stderr }).toEqual({
    exitCode: 3,
    says: expect.stringContaining("is already watching"),
  });
  const status = await start(staged, "status");
  expect(status.stdout).toContain(`Watching: process ${first.pid}`);
  first.kill("SIGTERM");
  expect((await first).exitCode).toBe(0);
  expect(isWatching(staged)).toBe(false);
});

test("--dry-run shows what would be sent where, and sends nothing", async () => {
  const staged = await stageThread(daemon, { promptAt: new Date(Date.now() - 300_000) });
  const { exitCode, stdout } = await start(staged, "watch", "--once", "--dry-run", "--route", "queue");
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`thread ${staged.facts.sessionId} in ${staged.facts.projectPath}`);
  expect(stdout).toContain("route queue: asked for");
  expect(stdout).toContain("1. Run `make restart` then `make status`");
  expect(staged.sent()).toEqual([]);
  expect(existsSync(join(staged.settings.home, "checkpoint.db"))).toBe(false);
});

test(
  "many turns that finish at once start few gits at a time, fit into little memory, and each of them is judged",
  { timeout: 120_000 },
  async () => {
    const scenario = { ...loadScenario("generic-done"), prompt: `Finish this: ${"x".repeat(MEGABYTE)}` };
    const staged = await stageThread(scenario, { promptAt: new Date(Date.now() - 300_000) });
    const { rolloutPath, facts, folder, settings } = staged;
    const text = readFileSync(rolloutPath, "utf8");
    expect(text.length).toBeGreaterThan(MEGABYTE);
    for (let thread = 1; thread < 100; thread += 1) {
      const id = `${facts.sessionId.slice(0, -3)}${String(thread).padStart(3, "0")}`;
      writeFileSync(rolloutPath.replace(facts.sessionId, id), text.replaceAll(facts.sessionId, id));
    }
    const [bin, gits] = [join(folder, "bin"), join(folder, "gits")];
    mkdirSync(bin);
    const git = execaSync("sh", ["-c", "command -v git"]).stdout;
    writeFileSync(
      join(bin, "git"),
      `#!/bin/sh\necho + >> ${gits}\n${git} "$@"\nstatus=$?\necho - >> ${gits}\nexit $status\n`,
    );
    chmodSync(join(bin, "git"), 0o755);
    // All prompts together are larger than the memory that V8 may use.
    const NODE_OPTIONS = "--max-old-space-size=64";
    const env = { ...settings.env, NODE_OPTIONS, PATH: `${bin}:${settings.env["PATH"] ?? ""}` };
    const watch = await start({ ...staged, settings: { ...settings, env } }, "watch", "--once", "--route", "queue");
    expect({ exitCode: watch.exitCode, signal: watch.signal }).toEqual({ exitCode: 0, signal: undefined });
    let running = 0;
    const counts = readFileSync(gits, "utf8")
      .trim()
      .split("\n")
      .map((sign) => (running += sign === "+" ? 1 : -1));
    expect(counts.length).toBeGreaterThanOrEqual(200);
    expect(Math.max(...counts)).toBeLessThanOrEqual(4);
    const reasons = (await staged.stops()).map(({ reason }) => reason);
    expect(reasons).toHaveLength(100);
    expect(reasons).not.toContain("git-unknown");
  },
);

describe.runIf(HAS_TMUX)("with a screen open", () => {
  /** A process on a terminal that looks like a Codex screen to the system. */
  async function openScreen({ folder }: StagedThread): Promise<void> {
    const server = `checkpoint-screen-${process.pid}-${Math.random().toString(36).slice(2)}`;
    const program = join(folder, "bin", "codex");
    mkdirSync(join(folder, "bin"));
    writeFileSync(program, "#!/bin/sh\nwhile sleep 1; do :; done\n");
    chmodSync(program, 0o755);
    await execa("tmux", ["-L", server, "new-session", "-d", program]);
    onTestFinished(async () => {
      await execa("tmux", ["-L", server, "kill-server"], { reject: false });
    });
  }

  test("watch delivers a turn when it finishes, once", { timeout: 60_000 }, async () => {
    const staged = await stageThread(daemon, { promptAt: new Date(Date.now() - 240_000) });
    await openScreen(staged);
    const { lines, rolloutPath } = staged;
    writeFileSync(
      rolloutPath,
      lines
        .slice(0, -1)
        .map((line) => `${line}\n`)
        .join(""),
    );
    const watching = start(staged, "watch", "--route", "queue");
    await saysThatItWatches(watching);
    appendFileSync(rolloutPath, `${lines.at(-1)}\n`);
    await vi.waitUntil(() => staged.sent().length > 0, { timeout: 20_000 });
    await vi.waitUntil(() => readLog(staged).includes("detail=delivered"), { timeout: 20_000 });
    watching.kill("SIGTERM");
    expect((await watching).exitCode).toBe(0);
    expect(staged.sent().map(({ thread }) => thread)).toEqual([staged.facts.sessionId]);
    expect((await staged.stops()).map(({ decision, route }) => [decision, route])).toEqual([["block", "queue"]]);
  });

  test("SIGTERM in the middle of a delivery ends it at once, and leaves no stamp", { timeout: 60_000 }, async () => {
    const staged = await stageThread(daemon, { promptAt: new Date(Date.now() - 240_000) });
    await openScreen(staged);
    const env = { ...staged.settings.env, STAND_IN_HANGS: "1" };
    const watching = start({ ...staged, settings: { ...staged.settings, env } }, "watch", "--once", "--route", "queue");
    await vi.waitUntil(() => staged.sent().length > 0, { timeout: 20_000 });
    const asked = performance.now();
    watching.kill("SIGTERM");
    expect((await watching).exitCode).toBe(0);
    expect(performance.now() - asked).toBeLessThan(10_000);
    expect(staged.sent()).toHaveLength(1);
    expect((await staged.stops()).map(({ decision, reason }) => [decision, reason])).toEqual([["pass", "aborted"]]);
    expect(isWatching(staged)).toBe(false);
  });

  test(
    "notify delivers the turn that Codex reports, and passes over threads without a rollout",
    { timeout: 60_000 },
    async () => {
      const staged = await stageThread(daemon, { promptAt: new Date(Date.now() - 240_000) });
      await openScreen(staged);
      const report = {
        type: "agent-turn-complete",
        "thread-id": staged.facts.sessionId,
        "turn-id": staged.facts.promptId,
        cwd: staged.facts.projectPath,
      };
      const title = { ...report, "thread-id": "00000000-0000-7000-8000-00000000000f" };
      expect((await start(staged, "notify", JSON.stringify(report), "--route", "queue")).exitCode).toBe(0);
      expect((await start(staged, "notify", JSON.stringify(title), "--route", "queue")).exitCode).toBe(0);
      expect(staged.sent().map(({ thread }) => thread)).toEqual([staged.facts.sessionId]);
    },
  );
});

function readLog({ settings }: StagedThread): string {
  const log = join(settings.home, "checkpoint.log");
  return existsSync(log) ? readFileSync(log, "utf8") : "";
}

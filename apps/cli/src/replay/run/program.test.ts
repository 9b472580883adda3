import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AGENT_NAMES } from "@agent-checkpoint/transcript";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ReplayReport } from "../report/build-report.ts";
import { bash, claudeSession, read, type Step, write } from "../testing/claude-session.ts";

const PROGRAM = fileURLToPath(new URL("../../../dist/checkpoint.mjs", import.meta.url));
const FIXTURES = fileURLToPath(new URL("../../../../../packages/transcript/fixtures", import.meta.url));

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "replay-program-"));
  mkdirSync(join(folder, "sessions"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const env = (): Record<string, string> => ({ HOME: folder, CHECKPOINT_HOME: join(folder, "store") });

const start = (args: readonly string[], nodeArgs: readonly string[] = []) =>
  execa(process.execPath, [...nodeArgs, PROGRAM, "replay", "sessions", "--json", ...args], {
    cwd: folder,
    env: env(),
    extendEnv: false,
    reject: false,
  });

const report = async (...args: readonly string[]): Promise<ReplayReport> => {
  const { stdout, stderr, exitCode } = await start(args);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return JSON.parse(stdout) as ReplayReport;
};

const TURN: readonly Step[] = [
  { prompt: "Do it" },
  read("src/a.test.ts"),
  write("src/a.ts"),
  bash("make lint"),
  { says: "Done." },
];

const writeSessions = (count: number, steps: readonly Step[]): void => {
  for (let index = 0; index < count; index += 1) {
    const session = claudeSession(steps, { sessionId: `session-${index}`, cwd: `/home/dev/project` });
    writeFileSync(join(folder, "sessions", `${index}.jsonl`), session);
  }
};

test("replays the recordings of all agents in threads", async () => {
  cpSync(FIXTURES, join(folder, "sessions"), { recursive: true });
  const { files, totals, agents, noStop } = await report("--jobs", "2");
  expect(files).toMatchObject({ subAgents: 4, notTranscripts: 0, failed: [] });
  expect(files.found).toBe(files.replayed + files.subAgents);
  expect(totals.sessions).toBe(files.replayed);
  expect(new Set(agents.map(({ agent }) => agent))).toEqual(new Set(AGENT_NAMES));
  expect(noStop).toMatchObject({ interrupted: 10, failed: 4 });
  expect(totals.turns).toBe(totals.stops + Object.values(noStop).reduce((sum, count) => sum + count, 0));
});

/** Tells at the end of the process how much memory it ever had, its threads included. */
const PEAK = `process.on("exit", () => require("node:fs").writeFileSync("peak", String(process.resourceUsage().maxRSS)));`;

test("two thousand sessions are replayed in flat memory", async () => {
  writeFileSync(join(folder, "peak.cjs"), PEAK);
  writeSessions(2000, TURN);
  const { stdout } = await start(["--jobs", "2"], ["--require", join(folder, "peak.cjs")]);
  const first = JSON.parse(stdout) as ReplayReport;
  expect(first.totals).toMatchObject({ sessions: 2000, turns: 2000, stops: 2000, blocked: 2000 });
  expect(first.rules.every(({ examples }) => examples.length === 3)).toBe(true);
  const peakMegabytes = Number(readFileSync(join(folder, "peak"), "utf8")) / 1024;
  expect(peakMegabytes).toBeLessThan(400);
}, 60_000);

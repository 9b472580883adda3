import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { AGENT_NAMES } from "@agent-checkpoint/transcript";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ReplayReport } from "../report/build-report.ts";
import { bash, claudeSession, type Step, write } from "../testing/claude-session.ts";

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

/** The figures of a report, without those that tell how it was come by. */
const figures = ({ files: _files, generatedAt: _at, ...rest }: ReplayReport): object => rest;

const TURN: readonly Step[] = [{ prompt: "Do it" }, write("src/a.ts"), bash("make lint"), { says: "Done." }];

const writeSessions = (count: number, steps: readonly Step[]): void => {
  for (let index = 0; index < count; index += 1) {
    const session = claudeSession(steps, { sessionId: `session-${index}`, cwd: `/home/dev/project` });
    writeFileSync(join(folder, "sessions", `${index}.jsonl`), session);
  }
};

test("replays the recordings of all agents in threads", async () => {
  cpSync(FIXTURES, join(folder, "sessions"), { recursive: true });
  const { files, totals, agents, noStop } = await report("--jobs", "2");
  expect(files).toMatchObject({ fromCache: 0, subAgents: 3, notTranscripts: 0, failed: [] });
  expect(files.found).toBe(files.replayed + files.subAgents);
  expect(totals.sessions).toBe(files.replayed);
  expect(new Set(agents.map(({ agent }) => agent))).toEqual(new Set(AGENT_NAMES));
  expect(noStop).toMatchObject({ interrupted: 6, failed: 2 });
  expect(totals.turns).toBe(totals.stops + Object.values(noStop).reduce((sum, count) => sum + count, 0));
});

/** Tells at the end of the process how much memory it ever had, its threads included. */
const PEAK = `process.on("exit", () => require("node:fs").writeFileSync("peak", String(process.resourceUsage().maxRSS)));`;

test("two thousand sessions are replayed in flat memory, and the second time not read at all", async () => {
  writeFileSync(join(folder, "peak.cjs"), PEAK);
  writeSessions(2000, TURN);
  const { stdout } = await start(["--jobs", "2"], ["--require", join(folder, "peak.cjs")]);
  const first = JSON.parse(stdout) as ReplayReport;
  expect(first.totals).toMatchObject({ sessions: 2000, turns: 2000, stops: 2000, blocked: 2000 });
  expect(first.rules.every(({ examples }) => examples.length === 3)).toBe(true);
  const peakMegabytes = Number(readFileSync(join(folder, "peak"), "utf8")) / 1024;
  expect(peakMegabytes).toBeLessThan(400);
  const second = await report();
  expect(second.files.fromCache).toBe(2000);
  expect(figures(second)).toEqual(figures(first));
}, 60_000);

describe.for(["SIGINT", "SIGTERM", "SIGKILL"] as const)("ended by %s", (signal) => {
  test("a run goes on where it was, and comes to the same", async () => {
    writeSessions(80, Array.from({ length: 40 }, () => TURN).flat());
    const run = start(["--jobs", "2"]);
    while (cached() < 4) await setTimeout(5);
    run.kill(signal);
    const { exitCode, stdout, stderr } = await run;
    const isTold = signal !== "SIGKILL";
    expect({ exitCode, stdout }).toEqual({ exitCode: isTold ? 130 : undefined, stdout: "" });
    expect(stderr).toMatch(isTold ? /^Interrupted after \d+ of 80 files\. Run the same command again to resume/ : /^$/);

    const known = cached();
    expect(known).toBeLessThan(80);
    const rest = await report();
    expect(rest.files.fromCache).toBe(known);
    expect(rest.totals).toMatchObject({ sessions: 80, turns: 3200 });
    expect(figures(await report("--fresh"))).toEqual(figures(rest));
  }, 60_000);
});

const cached = (): number => {
  try {
    const names = readdirSync(join(folder, "store", "replay"), { recursive: true, encoding: "utf8" });
    return names.filter((name) => name.endsWith(".json")).length;
  } catch {
    return 0;
  }
};

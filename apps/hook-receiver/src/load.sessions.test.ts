import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  claudeEvents,
  loadScenario,
  makeRepository,
  PROMPT_AT,
  type SessionFacts,
  writeClaudeTranscript,
} from "@agent-checkpoint/fixtures";
import { beforeAll, describe, expect, test } from "vitest";
import { HOOK, reasonOf } from "./testing/hook-process.ts";
import { logLines } from "./testing/log-lines.ts";
import { percentile, type PoolJob, type PoolResult, runPool } from "./testing/run-pool.ts";
import { scratchFolder } from "./testing/scratch.ts";
import { openSqlite } from "./testing/sqlite.ts";

/** `npm run load` runs the large one; a session has two turns, and every turn stops twice. */
const IS_FULL = process.env["CHECKPOINT_LOAD"] === "full";
const { atOnce, sessions } = IS_FULL ? { atOnce: 64, sessions: 500 } : { atOnce: 16, sessions: 25 };
const STOPS_PER_TURN = 2;
const TURNS = [
  { turn: "first", at: "2026-03-02T09:04:00Z" },
  { turn: "second", at: "2026-03-02T09:14:00Z" },
] as const;
const STOPS = sessions * TURNS.length * STOPS_PER_TURN;
const SLICE = 250;

const scenario = loadScenario("daemon-change-not-restarted");
const PATH = process.env["PATH"] ?? "";

/** The stops of one turn of every session, those of the same turn close together. */
function stopsOf({ turn, at }: (typeof TURNS)[number], folder: string): readonly PoolJob[] {
  const project = join(folder, "project");
  return Array.from({ length: sessions }, (_, index) => {
    const name = `${turn}-${index}`;
    const facts: SessionFacts = {
      sessionId: `session-${index}`,
      promptId: `${turn}-of-session-${index}`,
      prompt: scenario.prompt,
      projectPath: project,
      promptAt: PROMPT_AT,
      lastMessage: "Done, it works.",
    };
    const [transcript, stdin] = [join(folder, `${name}.jsonl`), join(folder, `${name}.json`)];
    writeFileSync(transcript, writeClaudeTranscript(scenario.turn ?? [], facts));
    writeFileSync(stdin, JSON.stringify(claudeEvents(facts, transcript).stop));
    const job: PoolJob = {
      command: [...HOOK, "--agent", "claude"],
      stdin,
      env: { PATH, CHECKPOINT_HOME: join(folder, "home"), CLAUDE_PROJECT_DIR: project, CHECKPOINT_NOW: at },
    };
    return Array.from({ length: STOPS_PER_TURN }, () => job);
  }).flat();
}

/** What no hook can be faster than: Node, and git, with nothing to do for the one and the same for the other. */
function floorJobs(folder: string, count: number): readonly PoolJob[] {
  const command = ["sh", "-c", '"$0" -e 0 && exec git diff --name-only HEAD', process.execPath] as const;
  return Array.from({ length: count }, () => ({ command, cwd: join(folder, "project"), env: { PATH } }));
}

const figures = (results: readonly PoolResult[]) => {
  const times = results.map(({ ms }) => ms);
  return { p50: Math.round(percentile(times, 50)), p99: Math.round(percentile(times, 99)) };
};

const folder = scratchFolder();
const floor: PoolResult[] = [];
const answers: PoolResult[] = [];

beforeAll(async () => {
  await makeRepository(join(folder, "project"), scenario);
  for (const stops of TURNS.map((turn) => stopsOf(turn, folder))) {
    // In turns, so that both meet the same machine, whatever else it does meanwhile.
    for (let at = 0; at < stops.length; at += SLICE) {
      if (IS_FULL) floor.push(...(await runPool(floorJobs(folder, SLICE / 2), atOnce)));
      answers.push(...(await runPool(stops.slice(at, at + SLICE), atOnce)));
    }
  }
}, 1_800_000);

describe(`${atOnce} processes at once, ${STOPS} stops, ${sessions} sessions, one database`, () => {
  test("all are answered, and the log tells at most of a git that waited too long for its turn", () => {
    expect(answers.filter(({ exitCode, stderr }) => exitCode !== 0 || stderr !== "")).toEqual([]);
    expect(answers).toHaveLength(STOPS);
    const lines = logLines(join(folder, "home"));
    expect(lines.filter((line) => !line.includes('degraded detail="timeout: no answer in 5000 ms"'))).toEqual([]);
  });

  test("every stop has one row, and no turn is blocked twice", () => {
    const sqlite = openSqlite(join(folder, "home", "checkpoint.db"), { readonly: true });
    const rows = sqlite.prepare("SELECT turn || ': ' || decision FROM stops").pluck().all().map(String);
    expect(sqlite.pragma("integrity_check", { simple: true })).toBe("ok");
    sqlite.close();
    const names = TURNS.flatMap(({ turn }) => Array.from({ length: sessions }, (_, n) => `${turn}-of-session-${n}`));
    expect(rows.toSorted()).toEqual(names.flatMap((name) => [`${name}: block`, `${name}: pass`]).toSorted());
    expect(answers.filter((answer) => reasonOf(answer) !== null)).toHaveLength(names.length);
  });

  test.runIf(IS_FULL)("the slowest of a hundred takes at most twice as long as that of Node and git alone", () => {
    const [ours, theirs] = [figures(answers), figures(floor)];
    const ratio = ours.p99 / theirs.p99;
    console.log(`hook ${JSON.stringify(ours)} ms, node and git ${JSON.stringify(theirs)} ms, p99 ${ratio.toFixed(2)}x`);
    expect(ratio).toBeLessThanOrEqual(2);
  });
});

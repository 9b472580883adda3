import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore, type Stop } from "@agent-checkpoint/store";
import { type Enrolment, httpTarget, syncTeam } from "@agent-checkpoint/team";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { fold, type TeamDatabase } from "./database/connect.ts";
import { freePort, isPostgresMissing, type Postgres, startPostgres } from "./testing/start-postgres.ts";
import { aMachine, openTeam, sumsAndRows } from "./testing/team-stage.ts";

const isMissing = isPostgresMissing();
let postgres: Postgres;
beforeAll(async () => {
  // A crash of the database is part of it, so commits wait for the disk.
  if (!isMissing) postgres = await startPostgres({ isDurable: true });
}, 60_000);
afterAll(async () => {
  if (!isMissing) await postgres.remove();
}, 60_000);

const SOURCE = ["-C", "@agent-checkpoint/source"];
const child = (name: string, args: readonly string[]): ChildProcess =>
  fork(fileURLToPath(new URL(`./testing/${name}.ts`, import.meta.url)), [...args], {
    execArgv: SOURCE,
    stdio: "ignore",
  });
const exitOf = (process: ChildProcess) => new Promise<void>((resolve) => process.once("exit", () => resolve()));
const messageOf = (process: ChildProcess) =>
  new Promise<void>((resolve, reject) => {
    process.once("message", () => resolve());
    process.once("exit", () => reject(new Error("ended before it had begun")));
  });

async function recordHome(stops: number): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "checkpoint-killed-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 9 }));
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(opened.detail);
  const now = Date.now();
  for (let turn = 0; turn < stops; turn += 1)
    await opened.store.stops.record(stopAt(turn, new Date(now - turn * 1000)));
  await opened.store.close();
  return home;
}

const stopAt = (turn: number, at: Date): Stop => ({
  agent: "claude",
  sessionId: "s",
  projectPath: "/repo/shop",
  turn: String(turn),
  at,
  decision: turn % 4 === 0 ? "block" : "pass",
  reason: "all-clear",
  actions: [],
  observations: [],
  durationMs: turn % 50,
});

async function joined(database: TeamDatabase, url: string): Promise<Enrolment> {
  const { token, machine } = await aMachine(database);
  const rest = { role: "machine", team: "shop", salt: "s", privacy: "names", publicKey: null } as const;
  return { url, token, machine, ...rest, since: new Date(0).toISOString(), rulesVersion: 0, program: [] };
}

test.skipIf(isMissing)(
  "clients, services and the database are killed, and every row is there once",
  async () => {
    const STOPS = 1500;
    const database = await postgres.database("killed");
    const team = await openTeam(database);
    onTestFinished(() => team.close());
    const port = await freePort();
    const enrolment = await joined(team, `http://127.0.0.1:${port}`);
    const home = await recordHome(STOPS);
    let service = child("service-child", [database, String(port)]);
    onTestFinished(() => void service.kill("SIGKILL"));
    await messageOf(service);

    // Several syncs of the same home at once, each killed somewhere; the service and the database too.
    for (let round = 0; round < 4; round += 1) {
      const syncs = Array.from({ length: 2 }, () => child("sync-child", [home, JSON.stringify(enrolment)]));
      const ended = syncs.map(exitOf);
      await Promise.all(syncs.map(messageOf));
      await new Promise((resolve) => setTimeout(resolve, 15 + round * 20));
      if (round % 3 === 1) {
        const gone = exitOf(service);
        service.kill("SIGKILL");
        await gone;
        service = child("service-child", [database, String(port)]);
        await messageOf(service);
      }
      if (round % 3 === 2) await postgres.crash();
      for (const sync of syncs) sync.kill("SIGKILL");
      await Promise.all(ended);
    }
    await finish(home, enrolment);
    const { rows } = await team.pool.query(
      "select count(*)::int as rows, count(distinct uid)::int as ids from checkpoint.stops",
    );
    expect(rows).toEqual([{ rows: STOPS, ids: STOPS }]);
    while ((await fold(team)) > 0);
    const [sums, counted] = await sumsAndRows(team);
    expect(sums).toEqual(counted);
  },
  120_000,
);

/** Syncs until the target has everything, as the worker does by and by. */
async function finish(home: string, enrolment: Enrolment): Promise<void> {
  const opened = await openStore(home, { busyTimeoutMs: 5000 });
  if (!opened.ok) throw new Error(opened.detail);
  const options = { store: opened.store, enrolment, target: httpTarget(enrolment), client: "last", now: new Date() };
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const { outcome } = await syncTeam(options);
    if (outcome === "done") break;
    expect(outcome).toBe("later");
  }
  expect(await syncTeam(options)).toMatchObject({ outcome: "done", sent: 0 });
  await opened.store.close();
}

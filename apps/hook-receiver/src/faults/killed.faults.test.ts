import { join } from "node:path";
import { execa } from "execa";
import { expect, test, vi } from "vitest";
import { HOOK, reasonOf } from "../testing/hook-process.ts";
import { openSqlite, SQLITE_LIBRARY } from "../testing/sqlite.ts";
import { ROW_BEFORE, SILENCE, stageFault, type StagedFault, storedStops } from "../testing/stage-fault.ts";

// Faults that are waited for, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const AT_ONCE = 4;

/** The same delays at every run: a fraction of the time that a stop takes, from its start to a little after its end. */
function* moments(seed: number): Generator<number, never, undefined> {
  for (let state = seed; ;) {
    state = (state * 48_271) % 2_147_483_647;
    yield (state / 2_147_483_647) * 1.2;
  }
}

/** A call that is ended by a signal after some milliseconds, and what it said until then. */
async function stopAndKill(staged: StagedFault, event: object, signal: "SIGKILL" | "SIGTERM", afterMs: number) {
  const [program, ...args] = HOOK;
  const child = execa(program, [...args, "--agent", "claude"], {
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "", ...staged.env, CHECKPOINT_NOW: "2026-03-02T09:04:00Z" },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    input: JSON.stringify(event),
  });
  const timer = setTimeout(() => child.kill(signal), afterMs);
  const { stdout, stderr, exitCode, signal: endedBy } = await child;
  clearTimeout(timer);
  return { stdout, stderr, ended: exitCode === 0 ? 0 : endedBy };
}

/** How long a stop takes on this machine now, with as many others beside it as there will be. */
async function timeStops({ stop }: StagedFault): Promise<number> {
  const names = Array.from({ length: AT_ONCE }, (_, index) => `timed-${index}`);
  const start = performance.now();
  await Promise.all(names.map((name) => stop({ event: { session_id: name, prompt_id: `turn-of-${name}` } })));
  return performance.now() - start;
}

async function inGroups<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await Promise.all(items.slice(at, at + AT_ONCE).map(work));
}

const signals = [
  { signal: "SIGKILL", kills: 64 },
  { signal: "SIGTERM", kills: 32 },
] as const;
test.for(signals)(
  "$signal at $kills moments of a stop: a whole answer or none, at most one block for a turn, and the database is whole",
  { timeout: 180_000 },
  async ({ signal, kills }) => {
    const staged = await stageFault();
    const time = await timeStops(staged);
    const delays = moments(kills * 1_000_003);
    const stops = Array.from({ length: kills }, (_, index) => ({
      session: `killed-${index}`,
      delay: delays.next().value * time,
    }));
    const blocked = new Map<string, number>();
    const endings = new Set<unknown>();
    await inGroups(stops, async ({ session, delay }) => {
      const event = staged.event({ session_id: session, prompt_id: `turn-of-${session}` });
      const killed = await stopAndKill(staged, event, signal, delay);
      endings.add(killed.ended);
      expect(killed.stderr).toBe("");
      const again = await staged.stop({ event: { session_id: session, prompt_id: `turn-of-${session}` } });
      expect({ ...again, stdout: "" }).toEqual(SILENCE);
      // A torn answer would not parse.
      const answers = [killed.stdout, again.stdout].filter((text) => text !== "").map((text) => JSON.parse(text));
      expect(answers).toEqual(answers.map(() => expect.objectContaining({ decision: "block" })));
      blocked.set(session, answers.length);
    });
    expect([...blocked.values()].filter((count) => count > 1)).toEqual([]);
    expect([...endings].filter((ending) => ending !== 0 && ending !== signal)).toEqual([]);

    // Every turn is spent by now, by a record that says so once, also where the answer was lost.
    const rows = storedStops(staged.database);
    expect(rows[0]).toBe(ROW_BEFORE);
    const blocks = rows.filter((row) => row.startsWith("killed-") && row.includes(": block "));
    expect(blocks.map((row) => row.replace(/:.*/, "")).toSorted()).toEqual(
      stops.map(({ session }) => session).toSorted(),
    );
    // Moments before the record were among them, so that the second stop had something to do.
    expect(rows.filter((row) => row.endsWith("already-blocked")).length).toBeLessThan(kills);
  },
);

test(
  "SIGKILL while the first database is made: the next stop is judged, with nothing lost that was there",
  { timeout: 120_000 },
  async () => {
    const staged = await stageFault();
    const time = await timeStops(staged);
    const delays = moments(7_000_021);
    const homes = Array.from({ length: 24 }, (_, index) => join(staged.home, "..", `home-${index}`));
    await inGroups(homes, async (home) => {
      const there = { ...staged, env: { ...staged.env, CHECKPOINT_HOME: home } };
      const killed = await stopAndKill(there, staged.event(), "SIGKILL", delays.next().value * time);
      const again = await staged.stop({ env: { CHECKPOINT_HOME: home } });
      expect([killed.stdout, again.stdout].filter((text) => text !== "").length).toBeLessThanOrEqual(1);
      expect({ ...again, stdout: "" }).toEqual(SILENCE);
      expect(storedStops(join(home, "checkpoint.db")).filter((row) => row.includes(": block "))).toHaveLength(1);
    });
  },
);

test("SIGKILL of a process that has the database open: its log is played in by the next", async () => {
  const staged = await stageFault();
  const script = `
    const db = require(${JSON.stringify(SQLITE_LIBRARY)})(process.argv[1]);
    db.pragma("wal_autocheckpoint = 0");
    db.exec("INSERT INTO meta (key, value) VALUES ('left-behind', 1); BEGIN IMMEDIATE; DELETE FROM stops");
    process.kill(process.pid, "SIGKILL");`;
  await execa(process.execPath, ["-e", script, staged.database], { reject: false });
  expect(reasonOf(await staged.stop())).toContain("make restart");
  expect(storedStops(staged.database)[0]).toBe(ROW_BEFORE);
  const sqlite = openSqlite(staged.database, { readonly: true });
  expect(sqlite.prepare("SELECT value FROM meta WHERE key = 'left-behind'").pluck().all()).toEqual([1]);
  sqlite.close();
});

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execaSync } from "execa";
import { describe, test, vi } from "vitest";
import { MIGRATIONS } from "../../../../packages/store/src/tables/schema.ts";
import { reasonOf } from "../testing/hook-process.ts";
import { logLines } from "../testing/log-lines.ts";
import { openSqlite, type Sqlite } from "../testing/sqlite.ts";
import { ROW_BEFORE, ROW_NOW, SILENCE, stageFault, type StagedFault, storedStops } from "../testing/stage-fault.ts";

// Faults that are waited for, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

/** What the first version of the program wrote for a stop; no later version may take a column of it away. */
const OLD_INSERT = `INSERT INTO stops
  (agent, sessionId, turn, at, decision, reason, actions, observations, durationMs, route, isCanary)
  VALUES ('claude', ?, 'turn', 1772442000000, 'pass', 'timer', '[]', '[]', 1, 'hook', 0)`;

/** The home as an older version of the program left it, with that version's connection still open. */
function asOfVersion(version: number, { home, database }: StagedFault): Sqlite {
  rmSync(home, { recursive: true });
  mkdirSync(home, { mode: 0o700 });
  const old = openSqlite(database);
  old.pragma("journal_mode = WAL");
  for (const step of MIGRATIONS.slice(0, version)) old.exec(step);
  old.pragma(`user_version = ${version}`);
  old.prepare(OLD_INSERT).run("old");
  return old;
}

/** A git that waits until a file is there, and says by another that it does. */
function waitingGit(folder: string) {
  const bin = join(folder, "bin");
  const [waits, go] = [join(folder, "waits"), join(folder, "go")];
  const git = execaSync("sh", ["-c", "command -v git"]).stdout;
  const script = `touch "${waits}"; until [ -e "${go}" ]; do sleep 0.05; done; exec ${git} "$@"`;
  mkdirSync(bin);
  writeFileSync(join(bin, "git"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const isWaiting = async () => {
    for (let look = 0; look < 400; look += 1) {
      if (execaSync("test", ["-e", waits], { reject: false }).exitCode === 0) return;
      await sleep(20);
    }
    throw new Error("git was not started");
  };
  return { path: `${bin}:/usr/bin:/bin`, isWaiting, release: () => writeFileSync(go, "") };
}

describe("an older version of the program, and this one, on one database", () => {
  const versions = MIGRATIONS.map((_, index) => ({ version: index + 1 }));

  test.concurrent.for(versions)(
    "schema $version is brought up to date under an open connection of its own, which goes on writing",
    async ({ version }, { expect: expectHere }) => {
      const staged = await stageFault();
      const old = asOfVersion(version, staged);
      const insert = old.prepare(OLD_INSERT);
      expectHere(reasonOf(await staged.stop())).toContain("make restart");
      insert.run("old");
      old.close();
      expectHere(await staged.stop()).toEqual(SILENCE);
      expectHere(storedStops(staged.database)).toEqual([
        "old: pass timer",
        ROW_NOW,
        "old: pass timer",
        "now: pass already-blocked",
      ]);
      expectHere(logLines(staged.home)).toEqual([]);
    },
  );

  test.concurrent("eight stops at once on an old schema: one brings it up to date, all are judged", async ({
    expect: expectHere,
  }) => {
    const staged = await stageFault();
    asOfVersion(1, staged).close();
    const sessions = Array.from({ length: 8 }, (_, index) => `at-once-${index}`);
    const answers = await Promise.all(
      sessions.map((session) => staged.stop({ event: { session_id: session, prompt_id: `turn-of-${session}` } })),
    );
    expectHere(answers.filter((answer) => reasonOf(answer)?.includes("make restart"))).toHaveLength(sessions.length);
    expectHere(storedStops(staged.database).toSorted()).toEqual(
      [...sessions.map((session) => `${session}: block missing-actions`), "old: pass timer"].toSorted(),
    );
    expectHere(logLines(staged.home)).toEqual([]);
  });
});

describe("a newer version of the program, and this one, on one database", () => {
  const NEWER = `ALTER TABLE stops ADD COLUMN of_the_future TEXT;
    CREATE TABLE futures (id INTEGER PRIMARY KEY);
    PRAGMA user_version = ${MIGRATIONS.length + 1}`;

  test.concurrent("has brought it up to date before: the stop passes, and the file is left as it is", async ({
    expect: expectHere,
  }) => {
    const staged = await stageFault();
    const newer = openSqlite(staged.database);
    newer.exec(NEWER);
    newer.close();
    const bytes = readFileSync(staged.database);
    await staged.prompt();
    rmSync(join(staged.home, "checkpoint.log"), { force: true });
    expectHere(await staged.stop()).toEqual(SILENCE);
    expectHere(logLines(staged.home)).toEqual([expectHere.stringMatching(/store newer-schema.*update the program/)]);
    expectHere(readFileSync(staged.database).equals(bytes)).toBe(true);
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE]);
  });

  test.concurrent("brings it up to date in the middle of a stop: the turn is blocked once, and recorded", async ({
    expect: expectHere,
  }) => {
    const staged = await stageFault();
    const git = waitingGit(join(staged.project, ".."));
    const answer = staged.stop({ env: { PATH: git.path } });
    await git.isWaiting();
    const newer = openSqlite(staged.database);
    newer.exec(NEWER);
    newer.close();
    git.release();
    expectHere(reasonOf(await answer)).toContain("make restart");
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW]);
    expectHere(await staged.stop()).toEqual(SILENCE);
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW]);
  });
});

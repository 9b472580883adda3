import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "./open-store.ts";
import { openNodeSqlite, type OpenSqlite, type SqliteFile } from "./sqlite/node-sqlite.ts";
import { MIGRATIONS } from "./tables/schema.ts";
import { aStop } from "./testing/a-stop.ts";
import { aStoredStop } from "./testing/a-stored-stop.ts";
import { execIn } from "./testing/drivers.ts";
import { openedStore } from "./testing/opened-store.ts";
import { temporaryHome } from "./testing/temporary-home.ts";

const now = () => new Date("2026-01-01T12:00:00Z");
const ASIDE = "checkpoint.db.corrupt-20260101T120000000Z";
const databaseOf = (home: string) => join(home, "checkpoint.db");

/** A home whose database holds one stop. */
async function usedHome(): Promise<string> {
  const home = temporaryHome();
  const store = await openedStore(home);
  await store.stops.record(aStop());
  await store.close();
  return home;
}

/** Another connection to the database, as another process would have it. */
function otherConnection(home: string): SqliteFile {
  const sqlite = openNodeSqlite(databaseOf(home), { timeout: 0 });
  onTestFinished(() => sqlite.close());
  return sqlite;
}

/** Writes garbage over every page but the first. */
function spoilPages(path: string): void {
  const sqlite = openNodeSqlite(path, { timeout: 0 });
  const roots = sqlite.prepare("SELECT rootpage FROM sqlite_schema WHERE rootpage > 0").rows([]);
  sqlite.close();
  const file = openSync(path, "r+");
  for (const root of roots)
    writeSync(file, Buffer.alloc(4096, 0xaa), 0, 4096, ((root as { rootpage: number }).rootpage - 1) * 4096);
  closeSync(file);
}

describe("a first run", () => {
  test("makes the home and the database, for their owner only, and leaves nothing half-made", async () => {
    const home = join(temporaryHome(), "deeper", "still");
    const store = await openedStore(home);
    await store.stops.record(aStop());
    const modes = Object.fromEntries(readdirSync(home).map((name) => [name, statSync(join(home, name)).mode & 0o777]));
    expect(modes).toEqual({
      "checkpoint.db": 0o600,
      "checkpoint.db-shm": 0o600,
      "checkpoint.db-wal": 0o600,
      "checkpoint.lock": 0o600,
    });
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  test("makes tables in an empty file that bears the name", async () => {
    const home = temporaryHome();
    mkdirSync(home);
    writeFileSync(databaseOf(home), "");
    const store = await openedStore(home);
    await store.stops.record(aStop());
    expect(await store.stops.list()).toEqual([aStoredStop(1)]);
  });

  test("is not disturbed by what a killed one has left", async () => {
    const home = temporaryHome();
    mkdirSync(home);
    for (const suffix of ["", "-wal", "-shm", "-journal"])
      writeFileSync(`${databaseOf(home)}.new${suffix}`, "half-made");
    await openedStore(home);
    expect(readdirSync(home).filter((name) => name.includes(".new"))).toEqual([]);
  });

  test("does not play the log of a deleted database into the new one", async () => {
    const home = await usedHome();
    const abandoned = otherConnection(home);
    abandoned.exec("DELETE FROM stops; CREATE TABLE theirs (x)");
    rmSync(databaseOf(home));
    const store = await openedStore(home, { now });
    await store.stops.record(aStop({ reason: "new" }));
    expect(await store.stops.list()).toEqual([aStoredStop(1, { reason: "new" })]);
    expect(existsSync(join(home, `${ASIDE}-wal`))).toBe(true);
  });
});

describe("a corrupt database", () => {
  test("is set aside with its log, and the next call starts anew", async () => {
    const home = await usedHome();
    otherConnection(home).exec("DELETE FROM stops");
    writeFileSync(databaseOf(home), "This is no database. ".repeat(500));
    expect(await openStore(home, { now })).toEqual({
      ok: false,
      reason: "corrupt",
      detail: `SQLITE_NOTADB: file is not a database; ${databaseOf(home)}: set aside as ${join(home, ASIDE)}`,
    });
    expect(readdirSync(home).sort()).toEqual([ASIDE, `${ASIDE}-shm`, `${ASIDE}-wal`, "checkpoint.lock"]);
    expect(readFileSync(join(home, ASIDE), "utf8")).toMatch(/^This is no database\. /);
    const store = await openedStore(home, { now });
    expect(await store.stops.list()).toEqual([]);
  });

  test("found so in the middle of the work is set aside as well, and stays refused", async () => {
    const home = await usedHome();
    spoilPages(databaseOf(home));
    const store = await openedStore(home, { now });
    const corrupt = expect.objectContaining({ name: "StoreError", reason: "corrupt" });
    await expect(store.stops.record(aStop())).rejects.toEqual(corrupt);
    await expect(store.stops.list()).rejects.toEqual(corrupt);
    expect(readdirSync(home)).toEqual(expect.arrayContaining([ASIDE]));
    expect(existsSync(databaseOf(home))).toBe(false);
  });

  test("does not overwrite one that was set aside at the same time", async () => {
    const home = temporaryHome();
    mkdirSync(home);
    for (const text of ["first", "second"]) {
      writeFileSync(databaseOf(home), text.repeat(1000));
      expect(await openStore(home, { now })).toMatchObject({ ok: false, reason: "corrupt" });
    }
    expect(readFileSync(join(home, ASIDE), "utf8")).toMatch(/^first/);
    expect(readFileSync(join(home, `${ASIDE}-2`), "utf8")).toMatch(/^second/);
  });

  test("that another process has replaced already leaves the new one alone", async () => {
    const home = await usedHome();
    spoilPages(databaseOf(home));
    const store = await openedStore(home, { now });
    const other = await usedHome();
    rmSync(databaseOf(home));
    linkSync(databaseOf(other), databaseOf(home));
    await expect(store.stops.list()).rejects.toThrow("another process has set it aside");
    const reopened = await openedStore(home);
    expect(await reopened.stops.list()).toEqual([aStoredStop(1)]);
  });
});

describe("a read error that SQLite reports as corruption", () => {
  const corrupt = () => Object.assign(new Error("database disk image is malformed"), { code: "SQLITE_CORRUPT" });

  /** SQLite, with a disk that fails when a statement is put to a connection to the database, of the given number. */
  function failing(isFailing: (connection: number) => boolean): OpenSqlite {
    let connections = 0;
    return (path, options) => {
      const sqlite = openNodeSqlite(path, options);
      if (!path.endsWith("checkpoint.db")) return sqlite;
      connections += 1;
      const number = connections;
      const prepare: SqliteFile["prepare"] = (sql) => {
        if (isFailing(number)) throw corrupt();
        return sqlite.prepare(sql);
      };
      return { ...sqlite, prepare };
    };
  }

  test("at the opening leaves a sound database in place", async () => {
    const home = await usedHome();
    expect(await openStore(home, { now, openSqlite: failing((connection) => connection === 1) })).toEqual({
      ok: false,
      reason: "unusable",
      detail: `SQLITE_CORRUPT: database disk image is malformed; ${databaseOf(home)}: left in place, because a new connection finds it sound`,
    });
    expect(readdirSync(home).filter((name) => name.includes("corrupt"))).toEqual([]);
  });

  test("in the middle of the work leaves a sound database in place, and the block on record", async () => {
    const home = await usedHome();
    let isBroken = false;
    const store = await openedStore(home, { now, openSqlite: failing((connection) => isBroken && connection === 1) });
    const claim = { agent: "claude", sessionId: "s", turns: ["t"], at: now(), stop: aStop() } as const;
    await store.stops.claimBlock(claim);
    isBroken = true;
    const unusable = expect.objectContaining({ name: "StoreError", reason: "unusable" });
    await expect(store.stops.releaseBlock({ ...claim, reason: "x" })).rejects.toEqual(unusable);
    await expect(store.stops.list()).rejects.toEqual(unusable);
    const again = await openedStore(home);
    expect(await again.stops.claimBlock(claim)).toEqual({ claimed: false });
  });
});

describe("a database that cannot be used is left alone", () => {
  const ONE_MORE = MIGRATIONS.length + 1;
  const cases = [
    {
      found: "of a newer version",
      place: (path: string) => execIn(path, `CREATE TABLE x (y); PRAGMA user_version = ${ONE_MORE}`),
      reason: "newer-schema",
    },
    {
      found: "of another program",
      place: (path: string) => execIn(path, "CREATE TABLE x (y)"),
      reason: "unusable",
    },
    { found: "that is a folder", place: (path: string) => mkdirSync(path), reason: "unusable" },
    { found: "that is a link", place: (path: string) => symlinkSync("elsewhere.db", path), reason: "unusable" },
    {
      found: "whose tables are gone",
      place: (path: string) => execIn(path, `PRAGMA user_version = ${MIGRATIONS.length}`),
      reason: "unusable",
    },
  ];
  test.for(cases)("$found: $reason", async ({ place, reason }) => {
    const home = temporaryHome();
    mkdirSync(home);
    place(databaseOf(home));
    const isFile = statSync(databaseOf(home), { throwIfNoEntry: false })?.isFile() === true;
    const content = () => (isFile ? readFileSync(databaseOf(home)) : null);
    const before = content();
    const result = await openStore(home);
    const fault = result.ok ? await result.store.stops.list().catch((error: unknown) => error) : result;
    if (result.ok) await result.store.close();
    expect(fault).toMatchObject({ reason });
    expect(content()).toEqual(before);
    expect(readdirSync(home)).toEqual(["checkpoint.db"]);
  });

  test("a file in place of the home: cannot-create", async () => {
    const home = temporaryHome();
    writeFileSync(home, "");
    expect(await openStore(home)).toMatchObject({
      ok: false,
      reason: "cannot-create",
      detail: expect.stringContaining(home),
    });
    expect(await openStore(join(home, "deeper"))).toMatchObject({ ok: false, reason: "cannot-create" });
  });
});

describe("a locked database", () => {
  const busyTimeoutMs = 50;

  test("cannot be opened while another process has it for itself", async () => {
    const home = await usedHome();
    const other = otherConnection(home);
    other.exec("PRAGMA locking_mode = EXCLUSIVE");
    other.exec("BEGIN EXCLUSIVE");
    expect(await openStore(home, { busyTimeoutMs })).toMatchObject({ ok: false, reason: "locked" });
    other.close();
    const store = await openedStore(home);
    expect(await store.stops.list()).toEqual([aStoredStop(1)]);
  });

  test("can be read but not written while another process writes", async () => {
    const home = await usedHome();
    const store = await openedStore(home, { busyTimeoutMs });
    const other = otherConnection(home);
    other.exec("BEGIN IMMEDIATE");
    expect(await store.stops.list()).toEqual([aStoredStop(1)]);
    const locked = expect.objectContaining({ name: "StoreError", reason: "locked" });
    await expect(store.stops.record(aStop())).rejects.toEqual(locked);
    await expect(
      store.stops.claimBlock({ agent: "claude", sessionId: "s", turns: ["t"], at: now(), stop: aStop() }),
    ).rejects.toEqual(locked);
    other.exec("ROLLBACK");
    await store.stops.record(aStop());
    expect(await store.stops.list()).toHaveLength(2);
  });

  test("is not waited for longer than asked", async () => {
    const home = await usedHome();
    const store = await openedStore(home, { busyTimeoutMs });
    otherConnection(home).exec("BEGIN IMMEDIATE");
    const start = performance.now();
    await expect(store.stops.record(aStop())).rejects.toThrow("locked");
    expect(performance.now() - start).toBeLessThan(1000);
  });

  test("cannot be made while another process makes it", async () => {
    const home = temporaryHome();
    mkdirSync(home);
    const other = openNodeSqlite(join(home, "checkpoint.lock"), { timeout: 0 });
    onTestFinished(() => other.close());
    other.exec("BEGIN EXCLUSIVE");
    expect(await openStore(home, { busyTimeoutMs })).toMatchObject({ ok: false, reason: "locked" });
    other.exec("ROLLBACK");
    await openedStore(home, { busyTimeoutMs });
  });
});

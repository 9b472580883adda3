import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MIGRATIONS } from "../tables/schema.ts";
import { aStop } from "../testing/a-stop.ts";
import { openedStore } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import { openNodeSqlite, type OpenSqlite } from "./node-sqlite.ts";
import { openDatabase } from "./open-database.ts";

/** A home whose database holds one stop. */
async function homeWith(reason: string): Promise<string> {
  const home = temporaryHome();
  const store = await openedStore(home);
  await store.stops.record(aStop({ reason }));
  await store.close();
  return home;
}

/** SQLite, with something that another process does whenever the database has just been opened. */
function interrupted(interruption: () => void): OpenSqlite {
  return (path, options) => {
    const sqlite = openNodeSqlite(path, options);
    if (path.endsWith("checkpoint.db")) interruption();
    return sqlite;
  };
}

test("a database that is replaced between opening and reading is opened again", async () => {
  const home = await homeWith("old");
  const other = await homeWith("new");
  let opened = 0;
  const openSqlite = interrupted(() => {
    opened += 1;
    if (opened === 1) renameSync(join(other, "checkpoint.db"), join(home, "checkpoint.db"));
  });
  const { sqlite } = openDatabase({ home, openSqlite, busyTimeoutMs: 50 }, { migrations: MIGRATIONS, at: new Date() });
  onTestFinished(() => sqlite.close());
  expect(opened).toBe(2);
  expect(sqlite.prepare("SELECT reason FROM stops").rows([])).toEqual([{ reason: "new" }]);
});

test("a database that vanishes after it was found is made anew", async () => {
  const home = await homeWith("old");
  let opened = 0;
  const openSqlite = interrupted(() => {
    opened += 1;
    if (opened === 1) rmSync(join(home, "checkpoint.db"));
  });
  const { sqlite } = openDatabase({ home, openSqlite, busyTimeoutMs: 50 }, { migrations: MIGRATIONS, at: new Date() });
  onTestFinished(() => sqlite.close());
  expect(sqlite.prepare("SELECT * FROM stops").rows([])).toEqual([]);
});

test("a database that never stays the same is given up", async () => {
  const home = await homeWith("old");
  const openSqlite = interrupted(() => rmSync(join(home, "checkpoint.db")));
  expect(() =>
    openDatabase({ home, openSqlite, busyTimeoutMs: 50 }, { migrations: MIGRATIONS, at: new Date() }),
  ).toThrow(expect.objectContaining({ name: "StoreError", reason: "locked" }));
});

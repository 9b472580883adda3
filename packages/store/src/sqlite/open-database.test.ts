import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aStop } from "../testing/a-stop.ts";
import { openedStore } from "../testing/opened-store.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import { loadLibraries, type Libraries } from "./load-libraries.ts";
import { openDatabase } from "./open-database.ts";

/** A home whose database holds one stop. */
async function homeWith(reason: string): Promise<string> {
  const home = temporaryHome();
  const store = await openedStore(home);
  await store.recordStop(aStop({ reason }));
  await store.close();
  return home;
}

/** SQLite, with something that another process does whenever the database has just been opened. */
async function interrupted(interruption: () => void): Promise<Libraries> {
  const libraries = await loadLibraries(undefined);
  return {
    ...libraries,
    openSqlite: (path, options) => {
      const sqlite = libraries.openSqlite(path, options);
      if (path.endsWith("checkpoint.db")) interruption();
      return sqlite;
    },
  };
}

test("a database that is replaced between opening and reading is opened again", async () => {
  const home = await homeWith("old");
  const other = await homeWith("new");
  let opened = 0;
  const libraries = await interrupted(() => {
    opened += 1;
    if (opened === 1) renameSync(join(other, "checkpoint.db"), join(home, "checkpoint.db"));
  });
  const { sqlite } = openDatabase({ home, libraries, busyTimeoutMs: 50 }, new Date());
  onTestFinished(() => void sqlite.close());
  expect(opened).toBe(2);
  expect(sqlite.prepare("SELECT reason FROM stops").pluck().all()).toEqual(["new"]);
});

test("a database that vanishes after it was found is made anew", async () => {
  const home = await homeWith("old");
  let opened = 0;
  const libraries = await interrupted(() => {
    opened += 1;
    if (opened === 1) rmSync(join(home, "checkpoint.db"));
  });
  const { sqlite } = openDatabase({ home, libraries, busyTimeoutMs: 50 }, new Date());
  onTestFinished(() => void sqlite.close());
  expect(sqlite.prepare("SELECT count(*) FROM stops").pluck().get()).toBe(0);
});

test("a database that never stays the same is given up", async () => {
  const home = await homeWith("old");
  const libraries = await interrupted(() => rmSync(join(home, "checkpoint.db")));
  expect(() => openDatabase({ home, libraries, busyTimeoutMs: 50 }, new Date())).toThrow(
    expect.objectContaining({ name: "StoreError", reason: "locked" }),
  );
});

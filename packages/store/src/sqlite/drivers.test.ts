import { existsSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { toStoreError } from "../store-error.ts";
import { DRIVERS } from "../testing/drivers.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import { immediately, readPragma, type OpenFileOptions, type SqliteFile } from "./node-sqlite.ts";

describe.for(DRIVERS)("$sqlite", ({ openSqlite }) => {
  async function opened(path = temporaryHome(), options: OpenFileOptions = { timeout: 0 }): Promise<SqliteFile> {
    const sqlite = openSqlite(path, options);
    onTestFinished(() => sqlite.close());
    return sqlite;
  }

  const faultOf = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      return toStoreError(error).reason;
    }
    return "none";
  };

  test("rows, changes and pragmas", async () => {
    const sqlite = await opened();
    sqlite.exec("CREATE TABLE t (name TEXT, size INTEGER) STRICT; PRAGMA user_version = 7");
    const insert = sqlite.prepare("INSERT INTO t VALUES (?, ?), (?, ?)");
    expect(insert.change(["a", 1, "b", null])).toBe(2);
    expect(sqlite.prepare("SELECT * FROM t WHERE name <> ? ORDER BY name").rows(["x"])).toEqual([
      { name: "a", size: 1 },
      { name: "b", size: null },
    ]);
    expect(readPragma(sqlite, "user_version")).toBe(7);
  });

  test("closing twice is closing once", async () => {
    const sqlite = await opened();
    sqlite.close();
    expect(() => sqlite.close()).not.toThrow();
  });

  test("a path with characters that an address would take for something else", async () => {
    const path = `${temporaryHome()} a?mode=ro#%41&ü.db`;
    (await opened(path)).exec("CREATE TABLE t (x)");
    expect(existsSync(path)).toBe(true);
    const again = await opened(path, { timeout: 0, fileMustExist: true });
    expect(again.prepare("SELECT name FROM sqlite_schema").rows([])).toEqual([{ name: "t" }]);
  });

  test("a path from the working directory", async () => {
    const path = temporaryHome();
    (await opened(path)).exec("CREATE TABLE t (x)");
    const again = await opened(relative(process.cwd(), path), { timeout: 0, fileMustExist: true });
    expect(again.prepare("SELECT name FROM sqlite_schema").rows([])).toEqual([{ name: "t" }]);
  });

  test("a file that must exist is not made", async () => {
    const path = temporaryHome();
    await expect(opened(path, { timeout: 0, fileMustExist: true })).rejects.toThrow(/unable to open/);
    expect(existsSync(path)).toBe(false);
  });

  test("a file that is only looked at is not changed", async () => {
    const path = temporaryHome();
    (await opened(path)).exec("CREATE TABLE t (x)");
    const reader = await opened(path, { timeout: 0, fileMustExist: true, readonly: true });
    expect(faultOf(() => reader.exec("INSERT INTO t VALUES (1)"))).toBe("unusable");
  });

  test("a lock of another connection is waited for, and then is a fault", async () => {
    const path = temporaryHome();
    const other = await opened(path);
    other.exec("CREATE TABLE t (x); BEGIN EXCLUSIVE");
    const sqlite = await opened(path, { timeout: 60 });
    const before = performance.now();
    expect(faultOf(() => sqlite.exec("BEGIN IMMEDIATE"))).toBe("locked");
    expect(performance.now() - before).toBeGreaterThan(50);
  });

  test("a file that is no database is corrupt", async () => {
    const path = temporaryHome();
    writeFileSync(path, "no database, but long enough to be looked at\n".repeat(100));
    const sqlite = await opened(path);
    expect(faultOf(() => readPragma(sqlite, "user_version"))).toBe("corrupt");
  });

  test("a transaction that fails leaves nothing, and the next one runs", async () => {
    const sqlite = await opened();
    sqlite.exec("CREATE TABLE t (x INTEGER) STRICT");
    const insert = sqlite.prepare("INSERT INTO t VALUES (?)");
    expect(() =>
      immediately(sqlite, () => {
        insert.change([1]);
        throw new Error("in the middle");
      }),
    ).toThrow("in the middle");
    expect(immediately(sqlite, () => insert.change([2]))).toBe(1);
    expect(sqlite.prepare("SELECT x FROM t").rows([])).toEqual([{ x: 2 }]);
  });
});

import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { MIGRATIONS } from "../tables/schema.ts";
import { temporaryHome } from "../testing/temporary-home.ts";
import { openNodeSqlite, readPragma, type SqliteFile } from "./node-sqlite.ts";
import { migrate } from "./open-database.ts";

const STEPS = ["CREATE TABLE notes (text TEXT) STRICT;", "ALTER TABLE notes ADD COLUMN author TEXT;"];

function database(path = temporaryHome()): SqliteFile {
  const sqlite = openNodeSqlite(path, { timeout: 0 });
  onTestFinished(() => sqlite.close());
  return sqlite;
}

const version = (sqlite: SqliteFile) => readPragma(sqlite, "user_version");
const names = (sqlite: SqliteFile, query: string) =>
  sqlite
    .prepare(query)
    .rows([])
    .flatMap((row) => Object.values(row as object));
const columns = (sqlite: SqliteFile) => names(sqlite, "SELECT name FROM pragma_table_info('notes')");

test("an empty file gets all tables, the last version, a write-ahead log and a way to shrink", () => {
  const sqlite = database();
  migrate(sqlite, MIGRATIONS);
  expect(version(sqlite)).toBe(MIGRATIONS.length);
  expect(readPragma(sqlite, "journal_mode")).toBe("wal");
  expect(readPragma(sqlite, "auto_vacuum")).toBe(2);
  expect(names(sqlite, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")).toEqual([
    "blocks",
    "exported",
    "meta",
    "outcomes",
    "phase_events",
    "proofs",
    "rule_modes",
    "saves",
    "sessions",
    "snoozes",
    "stops",
    "verifications",
  ]);
});

test("an older version takes the steps it lacks and keeps its rows", () => {
  const sqlite = database();
  migrate(sqlite, STEPS.slice(0, 1));
  sqlite.exec("INSERT INTO notes VALUES ('kept')");
  migrate(sqlite, STEPS);
  migrate(sqlite, STEPS);
  expect(version(sqlite)).toBe(2);
  expect(sqlite.prepare("SELECT * FROM notes").rows([])).toEqual([{ text: "kept", author: null }]);
});

test("later steps only add tables and columns, because older programs go on writing", () => {
  const later = MIGRATIONS.slice(1).flatMap((step) => step.split(";").map((statement) => statement.trim()));
  const others = later.filter((statement) => !/^(CREATE |ALTER TABLE \w+ ADD COLUMN |$)/.test(statement));
  expect(others).toEqual([]);
});

test("a step that fails takes the ones before it back", () => {
  const sqlite = database();
  migrate(sqlite, STEPS.slice(0, 1));
  expect(() => migrate(sqlite, [...STEPS, "ALTER TABLE missing ADD COLUMN x TEXT;"])).toThrow("no such table");
  expect(version(sqlite)).toBe(1);
  expect(columns(sqlite)).toEqual(["text"]);
});

test("a newer version is left as it is", () => {
  const path = temporaryHome();
  const sqlite = database(path);
  migrate(sqlite, STEPS);
  sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const before = readFileSync(path);
  expect(() => migrate(sqlite, STEPS.slice(0, 1))).toThrow(
    expect.objectContaining({ reason: "newer-schema", message: expect.stringContaining("version 2") }),
  );
  expect(readFileSync(path)).toEqual(before);
});

test("a database of another program is left as it is", () => {
  const sqlite = database();
  sqlite.exec("CREATE TABLE theirs (x)");
  expect(() => migrate(sqlite, MIGRATIONS)).toThrow(expect.objectContaining({ reason: "unusable" }));
  expect(names(sqlite, "SELECT name FROM sqlite_schema")).toEqual(["theirs"]);
});

import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { temporaryHome } from "../testing/temporary-home.ts";
import { loadDriver } from "./load-driver.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { readPragma, type SqliteFile } from "./sqlite-file.ts";

const STEPS = ["CREATE TABLE notes (text TEXT) STRICT;", "ALTER TABLE notes ADD COLUMN author TEXT;"];

const openSqlite = await loadDriver();

function database(path = temporaryHome()): SqliteFile {
  const sqlite = openSqlite(path, { timeout: 0 });
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

const schema = (sqlite: SqliteFile) =>
  sqlite
    .prepare(
      "SELECT entry.type, entry.name, col.name AS column, col.type AS holds FROM sqlite_schema AS entry LEFT JOIN pragma_table_info(entry.name) AS col ORDER BY 1, 2, col.cid",
    )
    .rows([]);

test("an empty file gets all tables, the last version and a write-ahead log", () => {
  const sqlite = database();
  migrate(sqlite);
  expect(version(sqlite)).toBe(MIGRATIONS.length);
  expect(readPragma(sqlite, "journal_mode")).toBe("wal");
  expect(names(sqlite, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")).toEqual([
    "blocks",
    "meta",
    "phase_events",
    "saves",
    "sessions",
    "snoozes",
    "stops",
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

/** The first version that was released: a row of every table that later steps change. */
const FIRST_ROWS = `
  INSERT INTO sessions (agent, session_id, first_seen_at, last_seen_at) VALUES ('claude', 's', 1, 2);
  INSERT INTO stops (agent, session_id, stopped_at, decision, reason, actions, observations, duration_ms, route, is_canary)
  VALUES ('claude', 's', 2, 'pass', 'timer', '[]', '[]', 12, 'hook', 0);
`;
test.for(MIGRATIONS.map((_, step) => ({ step: step + 1 })))(
  "a database of version $step gets what it lacks and is then like a new one",
  ({ step }) => {
    const [old, fresh] = [database(), database()];
    migrate(old, MIGRATIONS.slice(0, step));
    old.exec(FIRST_ROWS);
    expect(version(old)).toBe(step);
    migrate(old);
    migrate(fresh);
    expect(version(old)).toBe(MIGRATIONS.length);
    expect(schema(old)).toEqual(schema(fresh));
    expect(old.prepare("SELECT session_id, last_seen_at, context_mark FROM sessions").rows([])).toEqual([
      { session_id: "s", last_seen_at: 2, context_mark: null },
    ]);
    expect(old.prepare("SELECT id, reason, trail, save FROM stops").rows([])).toEqual([
      { id: 1, reason: "timer", trail: null, save: null },
    ]);
  },
);

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
  expect(() => migrate(sqlite)).toThrow(expect.objectContaining({ reason: "unusable" }));
  expect(names(sqlite, "SELECT name FROM sqlite_schema")).toEqual(["theirs"]);
});

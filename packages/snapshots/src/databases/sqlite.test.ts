import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3, { type Database } from "better-sqlite3";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { SafetyOptions } from "../place.ts";
import { createCheckpoint, restoreCheckpoint, restoreInto, showCheckpoint, verifyCheckpoints } from "../index.ts";
import { damage } from "../testing/damage.ts";
import { createWorkspace } from "../testing/workspace.ts";

const SCHEMA = `
  CREATE TABLE people (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, photo BLOB);
  CREATE INDEX people_by_photo ON people (photo);
  CREATE TABLE loose (x);
  CREATE TABLE pairs (k PRIMARY KEY, v) WITHOUT ROWID;
  CREATE VIEW names AS SELECT name FROM people;
  CREATE TRIGGER noted AFTER INSERT ON people BEGIN INSERT INTO loose VALUES (new.name); END;
  CREATE VIRTUAL TABLE notes USING fts5(body);
  INSERT INTO people (name, photo) VALUES ('Ann', x'00ff'), ('Bob', NULL), ('Cy', x'01');
  DELETE FROM people WHERE name = 'Bob';
  INSERT INTO notes VALUES ('hello world');
  PRAGMA user_version = 7;
`;

function stage({ mode = "WAL" }: { readonly mode?: string } = {}) {
  const workspace = createWorkspace();
  const path = join(workspace.root, "app.db");
  const db = open(path);
  db.pragma(`journal_mode = ${mode}`);
  db.exec(SCHEMA);
  return { ...workspace, path, db, options: { ...workspace.options, databaseWaitMs: 500 } };
}

function open(path: string): Database {
  const db = new BetterSqlite3(path);
  onTestFinished(() => void db.close());
  return db;
}

async function create(options: SafetyOptions, scope = "sqlite:app.db") {
  const made = await createCheckpoint({ scope }, options);
  if (made.status !== "created") throw new Error(`${made.code}: ${made.message}`);
  return { report: made.report, id: made.report.checkpoint?.id ?? "" };
}

const names = (db: Database): unknown => db.prepare("SELECT name FROM people ORDER BY id").pluck().all();
const tables = (db: Database): unknown => db.prepare("SELECT name FROM sqlite_schema ORDER BY name").pluck().all();

test.for(["WAL", "DELETE"])(
  "in %s mode, an open connection sees what came back, and the restore can be undone",
  async (mode) => {
    const { db, options, path } = stage({ mode });
    const before = { names: names(db), tables: tables(db) };
    const { report, id } = await create(options);
    expect(report.checkpoint).toMatchObject({
      type: "database_savepoint",
      scope: { files: [`sqlite:${path}`], state_keys: [] },
    });
    db.exec("DROP TABLE pairs; UPDATE people SET name = 'Eve' WHERE id = 1; CREATE TABLE evil (x); DROP TRIGGER noted");
    const after = { names: names(db), tables: tables(db) };

    const back = await restoreCheckpoint({ id }, options);
    expect(back).toMatchObject({
      status: "restored",
      report: { rolled_back: true, verification: { match: true }, changes_reverted: [{ file: `sqlite:${path}` }] },
    });
    expect({ names: names(db), tables: tables(db) }).toEqual(before);
    expect(db.pragma("journal_mode", { simple: true })).toBe(mode.toLowerCase());
    expect(db.prepare("SELECT body FROM notes WHERE notes MATCH 'world'").pluck().get()).toBe("hello world");
    db.exec("INSERT INTO people (name) VALUES ('Dee')");
    expect(db.prepare("SELECT id FROM people WHERE name = 'Dee'").pluck().get()).toBe(4);

    const undo = back.status === "restored" ? (back.report.undo?.checkpoint_id ?? "") : "";
    expect(await restoreCheckpoint({ id: undo }, options)).toMatchObject({ report: { verification: { match: true } } });
    expect({ names: names(db), tables: tables(db) }).toEqual(after);
  },
);

test(
  "whatever is written, the hash is of the contents alone, and restoring brings it back",
  { timeout: 120_000 },
  async () => {
    const cell = fc.oneof(
      fc.integer(),
      fc.string(),
      fc.constant(null),
      fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
    );
    const statement = fc.oneof(
      fc.record({ sql: fc.constant("INSERT INTO loose VALUES (?)"), cell }),
      fc.record({
        sql: fc.constant("INSERT OR REPLACE INTO pairs VALUES (?, 1)"),
        cell: cell.filter((value) => value !== null),
      }),
      fc.record({ sql: fc.constant("DELETE FROM loose WHERE rowid % 2 = 1 OR x IS ?"), cell }),
      fc.record({ sql: fc.constant("UPDATE people SET photo = ?"), cell }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(statement, { maxLength: 20 }),
        fc.array(statement, { minLength: 1, maxLength: 10 }),
        async (first, second) => {
          const { db, options } = stage();
          for (const { sql, cell } of first) db.prepare(sql).run(cell);
          const made = await create(options);
          expect((await create(options)).report.pre_mutation_state.hash).toBe(made.report.pre_mutation_state.hash);
          const rows = (): unknown => [
            db.prepare("SELECT rowid, x FROM loose").all(),
            db.prepare("SELECT * FROM pairs").all(),
            db.prepare("SELECT * FROM people").all(),
          ];
          const before = rows();
          for (const { sql, cell } of second) db.prepare(sql).run(cell);
          db.exec("CREATE TABLE later (x); VACUUM");
          expect(await restoreCheckpoint({ id: made.id }, options)).toMatchObject({
            report: { verification: { match: true } },
          });
          expect(rows()).toEqual(before);
        },
      ),
      { numRuns: 10 },
    );
  },
);

const holders = [
  { mode: "WAL", holder: "a writer", sql: "BEGIN IMMEDIATE" },
  { mode: "DELETE", holder: "a writer", sql: "BEGIN IMMEDIATE" },
  { mode: "DELETE", holder: "a reader", sql: "BEGIN; SELECT count(*) FROM people" },
];

test.for(holders)("in $mode mode, $holder is waited for, then respected", async ({ mode, sql }) => {
  const { db, options, path } = stage({ mode });
  const { id } = await create(options);
  db.exec("UPDATE people SET name = 'Eve' WHERE id = 1");
  const other = open(path);
  other.exec(sql);
  const started = Date.now();
  expect(await restoreCheckpoint({ id }, options)).toMatchObject({ status: "failed", code: "locked" });
  expect(Date.now() - started).toBeLessThan(10_000);
  other.exec("COMMIT");
  expect(names(db)).toEqual(["Eve", "Cy"]);
  expect(await restoreCheckpoint({ id }, options)).toMatchObject({ report: { verification: { match: true } } });
  expect(names(db)).toEqual(["Ann", "Cy"]);
});

test("what is written while the restore is under way is not lost", async () => {
  const { db, options } = stage();
  const { id } = await create(options);
  db.exec("UPDATE people SET name = 'Eve' WHERE id = 1");
  const late = (name: string): void => {
    if (name === "journal written") db.exec("INSERT INTO people (name) VALUES ('late')");
  };
  expect(await restoreCheckpoint({ id }, { ...options, step: late })).toMatchObject({
    status: "refused",
    code: "changed-by-others",
  });
  expect(names(db)).toEqual(["Eve", "Cy", "late"]);
});

test("what a writer commits while the restore waits for it is not lost", async () => {
  const { db, options, path } = stage();
  const { id } = await create(options);
  db.exec("UPDATE people SET name = 'Eve' WHERE id = 1");
  const writer = open(path);
  const step = (name: string): void => {
    if (!name.startsWith("staged")) return;
    writer.exec("BEGIN IMMEDIATE; INSERT INTO people (name) VALUES ('late')");
    setTimeout(() => writer.exec("COMMIT"), 200);
  };
  expect(await restoreCheckpoint({ id }, { ...options, databaseWaitMs: 5000, step })).toMatchObject({
    status: "refused",
    code: "changed-by-others",
  });
  expect(names(db)).toEqual(["Eve", "Cy", "late"]);
});

test("a database that was not there is recorded as absent, and goes again with its log", async () => {
  const { options, root } = stage();
  const { id, report } = await create(options, "sqlite:new.db");
  expect(report.pre_mutation_state.summary).toBe("1 database recorded as absent");
  const made = new BetterSqlite3(join(root, "new.db"));
  made.pragma("journal_mode = WAL");
  made.exec("CREATE TABLE t (x); INSERT INTO t VALUES (1)");
  expect(await restoreCheckpoint({ id }, options)).toMatchObject({ status: "failed", code: "locked" });
  made.close();
  const back = await restoreCheckpoint({ id }, options);
  expect(back).toMatchObject({ status: "restored", report: { verification: { match: true } } });
  expect(["new.db", "new.db-wal", "new.db-shm"].filter((name) => existsSync(join(root, name)))).toEqual([]);
  const undo = back.status === "restored" ? (back.report.undo?.checkpoint_id ?? "") : "";
  expect(await restoreCheckpoint({ id: undo }, options)).toMatchObject({ report: { verification: { match: true } } });
  expect(open(join(root, "new.db")).prepare("SELECT x FROM t").pluck().get()).toBe(1);
});

test("a deleted database comes back with its permissions; the log of another one is refused first", async () => {
  const { db, options, path, root } = stage({ mode: "DELETE" });
  const { id } = await create(options);
  const { mode } = statSync(path);
  db.close();
  rmSync(path);
  writeFileSync(`${path}-wal`, "left behind");
  expect(await restoreCheckpoint({ id }, options)).toMatchObject({ status: "refused", code: "in-the-way" });
  rmSync(`${path}-wal`);
  expect(await restoreCheckpoint({ id }, options)).toMatchObject({ report: { verification: { match: true } } });
  expect(statSync(join(root, "app.db")).mode).toBe(mode);
  expect(names(open(path))).toEqual(["Ann", "Cy"]);
});

test("a flipped bit in the store is found before anything is written", async () => {
  const { db, options, root } = stage();
  const { id } = await create(options);
  db.exec("UPDATE people SET name = 'Eve' WHERE id = 1");
  const store = join(root, ".git/agent-checkpoint");
  const shown = await showCheckpoint(id, options);
  const [content = ""] = shown.status === "shown" ? shown.entries.map(({ oid }) => oid ?? "") : [];
  damage(store, content);
  expect(await verifyCheckpoints(id, options)).toMatchObject({ status: "found" });
  expect(await restoreCheckpoint({ id }, options)).toMatchObject({ status: "refused", code: "damaged" });
  expect(names(db)).toEqual(["Eve", "Cy"]);
});

test("it can be written out as a database of its own", async () => {
  const { options, root } = stage();
  const { id } = await create(options);
  expect(await restoreInto(id, join(root, "../out"), options)).toMatchObject({ status: "written", match: true });
  expect(names(open(join(root, "../out/app.db")))).toEqual(["Ann", "Cy"]);
});

const refused = [
  {
    what: "a text file",
    content: "no database, but longer than a header of one hundred bytes. ".repeat(4),
    code: "bad-input",
  },
  { what: "a folder", content: null, code: "bad-input" },
];

test.for(refused)("$what is refused", async ({ content, code }) => {
  const { options, write } = stage();
  write(content === null ? "odd.db/file" : "odd.db", content ?? "");
  expect(await createCheckpoint({ scope: "sqlite:odd.db" }, options)).toMatchObject({ status: "refused", code });
});

test("a database whose dump is known already leaves nothing half-made behind", async () => {
  const { options, root } = stage();
  await create(options);
  await create(options);
  expect(readdirSync(join(root, ".git/agent-checkpoint/tmp"))).toEqual([]);
});

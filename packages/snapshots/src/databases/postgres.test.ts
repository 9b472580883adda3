import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createCheckpoint, restoreCheckpoint, restoreInto, verifyCheckpoints } from "../index.ts";
import type { SafetyOptions } from "../place.ts";
import { buildChildProgram } from "../testing/child-program.ts";
import { findPostgres, startPostgres } from "../testing/postgres-server.ts";
import { createWorkspace } from "../testing/workspace.ts";

const bin = findPostgres();
if (bin === null) console.warn("PostgreSQL is not installed here: its checkpoints are not tested.");

const SCHEMA = `
DROP SCHEMA public CASCADE; CREATE SCHEMA public;
CREATE TYPE mood AS ENUM ('well', 'ill');
CREATE TABLE people (id serial PRIMARY KEY, name text UNIQUE, mood mood, seen timestamptz, photo bytea);
CREATE TABLE visits (person int REFERENCES people, at timestamptz DEFAULT '2030-01-01 12:00+02');
CREATE VIEW ill AS SELECT name FROM people WHERE mood = 'ill';
CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS 'SELECT n * 2';
INSERT INTO people (name, mood, seen, photo) VALUES ('Ann', 'well', '2030-01-01 12:00+02', '\\x00ff'), ('Bo''b "x"', 'ill', NULL, NULL);
INSERT INTO visits VALUES (1);
SELECT lo_from_bytea(0, 'large');
`;

describe.runIf(bin !== null)("PostgreSQL", { timeout: 120_000 }, async () => {
  const server = bin === null ? null : await startPostgres(bin);
  afterAll(() => server?.stop());
  if (server === null) return;
  const { sql } = server;

  const stage = (options: Partial<SafetyOptions> = {}) => {
    sql(SCHEMA);
    const workspace = createWorkspace();
    return { ...workspace, options: { ...workspace.options, env: server.env, databaseWaitMs: 1500, ...options } };
  };
  const create = async (options: SafetyOptions, scope = "postgres:app") => {
    const made = await createCheckpoint({ scope, reason: "before the migration" }, options);
    if (made.status !== "created") throw new Error(`${made.code}: ${made.message}`);
    return { report: made.report, id: made.report.checkpoint?.id ?? "" };
  };
  const databases = (): string => sql("SELECT string_agg(datname, ' ' ORDER BY datname) FROM pg_database;", "postgres");

  test("what was changed, made and dropped since comes back as it was, and the restore can be undone", async () => {
    const { options } = stage();
    const { report, id } = await create(options);
    expect(report.checkpoint).toMatchObject({
      type: "database_savepoint",
      scope: { files: ["postgres:app"], state_keys: [] },
    });
    expect(report.pre_mutation_state.summary).toMatch(/^postgres:app: 2 tables, \d+ bytes$/);
    expect(databases()).toBe("app postgres template0 template1");
    sql(
      "DROP VIEW ill; DELETE FROM visits; UPDATE people SET name = 'Eve' WHERE id = 1; CREATE TABLE evil (x int); CREATE SCHEMA later;",
    );
    const back = await restoreCheckpoint({ id }, options);
    expect(back).toMatchObject({
      status: "restored",
      report: {
        rolled_back: true,
        verification: { match: true },
        changes_reverted: [{ file: "postgres:app", operation: "modify" }],
      },
    });
    expect(
      sql("SELECT name FROM people ORDER BY id; SELECT count(*) FROM visits; SELECT * FROM ill; SELECT twice(4);"),
    ).toBe(`Ann\nBo'b "x"\n1\nBo'b "x"\n8`);
    expect(sql("SELECT to_regclass('evil') IS NULL, to_regnamespace('later') IS NULL;")).toBe("t|t");
    expect(
      sql("SELECT nextval('people_id_seq'), convert_from(lo_get(oid), 'UTF8') FROM pg_largeobject_metadata;"),
    ).toBe("3|large");
    expect(databases()).toBe("app postgres template0 template1");
    const undo = back.status === "restored" ? (back.report.undo?.checkpoint_id ?? "") : "";
    // A sequence was moved on just now, which is a change like any other.
    expect(await restoreCheckpoint({ id: undo }, options)).toMatchObject({
      status: "restored",
      report: { verification: { match: true } },
    });
    expect(sql("SELECT name FROM people WHERE id = 1; SELECT to_regclass('evil') IS NULL;")).toBe("Eve\nf");
  });

  test("an unchanged database has the same hash twice, and nothing to restore", async () => {
    const { options } = stage();
    const [first, second] = [await create(options), await create(options)];
    expect(second.report.pre_mutation_state.hash).toBe(first.report.pre_mutation_state.hash);
    expect(await restoreCheckpoint({ id: first.id }, options)).toMatchObject({
      report: { changes_reverted: [], undo: null },
    });
    expect(await verifyCheckpoints(first.id, options)).toMatchObject({ status: "verified" });
  });

  test("settings, rights, owner and comment of the database are kept by the swap", async () => {
    const { options } = stage();
    sql(`DROP ROLE IF EXISTS guest; CREATE ROLE guest; ALTER DATABASE app SET search_path TO "$user", public, 'o''dd';
      ALTER DATABASE app SET TimeZone TO 'Asia/Tokyo'; ALTER ROLE guest IN DATABASE app SET work_mem TO '8MB';
      REVOKE CONNECT ON DATABASE app FROM PUBLIC; GRANT TEMP ON DATABASE app TO guest WITH GRANT OPTION; COMMENT ON DATABASE app IS 'it''s ours';`);
    onTestFinished(
      () =>
        void sql(
          "ALTER DATABASE app RESET ALL; GRANT CONNECT ON DATABASE app TO PUBLIC; REVOKE ALL ON DATABASE app FROM guest; ALTER ROLE guest IN DATABASE app RESET ALL; DROP ROLE guest;",
          "postgres",
        ),
    );
    const facts = (): string =>
      sql(
        `SELECT ARRAY(SELECT unnest(d.datacl)::text ORDER BY 1), pg_get_userbyid(datdba), pg_encoding_to_char(encoding), datcollate, shobj_description(d.oid, 'pg_database')
      FROM pg_database d WHERE datname = 'app'; SELECT setrole <> 0, setconfig FROM pg_db_role_setting s JOIN pg_database d ON d.oid = setdatabase ORDER BY 1;`,
        "postgres",
      );
    const before = facts();
    const { id } = await create(options);
    sql("UPDATE people SET name = 'Eve' WHERE id = 1;");
    expect(await restoreCheckpoint({ id }, options)).toMatchObject({
      status: "restored",
      report: { verification: { match: true } },
    });
    expect(facts()).toBe(before);
  });

  test("an idle session is ended, one at work is waited for and then respected", async () => {
    const { options } = stage();
    const { id } = await create(options);
    sql("UPDATE people SET name = 'Eve' WHERE id = 1;");
    const end = await server.hold("BEGIN; UPDATE people SET name = 'Mallory' WHERE id = 2;");
    const refused = await restoreCheckpoint({ id }, options);
    expect(refused).toMatchObject({
      status: "failed",
      code: "locked",
      message: expect.stringContaining("holder (idle in transaction, pid "),
    });
    expect(sql("SELECT name FROM people WHERE id = 1;")).toBe("Eve");
    expect(databases()).toBe("app postgres template0 template1");
    end();
    const idle = await server.hold("SELECT 1;");
    onTestFinished(idle);
    expect(await restoreCheckpoint({ id }, options)).toMatchObject({
      status: "restored",
      report: { verification: { match: true } },
    });
    expect(sql("SELECT name FROM people WHERE id = 1;")).toBe("Ann");
  });

  test("what is written while the restore is under way is not lost", async () => {
    const { options } = stage();
    const { id } = await create(options);
    sql("UPDATE people SET name = 'Eve' WHERE id = 1;");
    const result = await restoreCheckpoint(
      { id },
      {
        ...options,
        step: (name) => void (name.startsWith("staged") && sql("INSERT INTO people (name) VALUES ('late');")),
      },
    );
    expect(result).toMatchObject({ status: "refused", code: "changed-by-others" });
    expect(sql("SELECT string_agg(name, ' ' ORDER BY id) FROM people;")).toBe(`Eve Bo'b "x" late`);
    expect(databases()).toBe("app postgres template0 template1");
  });

  test("killed in the middle, the database is old or new, and the next call finishes it and tidies up", async () => {
    const child = await buildChildProgram();
    onTestFinished(() => child.remove());
    const { options, write } = stage();
    write("a.txt", "a\n");
    const { id } = await create(options);
    const change = (): string => sql("UPDATE people SET name = 'Eve' WHERE id = 1;");
    change();
    const steps = child.run({ options, restore: { id }, killAt: null })?.steps ?? [];
    for (const name of ["journal written", "staged postgres:app", "replaced postgres:app"]) {
      change();
      expect(child.run({ options, restore: { id }, killAt: steps.indexOf(name) })).toBeNull();
      expect(await createCheckpoint({ scope: "a.txt" }, options)).toMatchObject({
        status: "created",
        notes: expect.arrayContaining([expect.stringContaining("Finished a restore")]),
      });
      expect({ name, person: sql("SELECT name FROM people WHERE id = 1;"), databases: databases() }).toEqual({
        name,
        person: "Ann",
        databases: "app postgres template0 template1",
      });
    }
  });

  test("a restore that cannot be finished because the server is gone does not stand in the way of files", async () => {
    const child = await buildChildProgram();
    onTestFinished(() => child.remove());
    const { options, write } = stage();
    write("a.txt", "a\n");
    const { id } = await create(options);
    sql("UPDATE people SET name = 'Eve' WHERE id = 1;");
    const steps = child.run({ options, restore: { id }, killAt: null })?.steps ?? [];
    sql("UPDATE people SET name = 'Eve' WHERE id = 1;");
    child.run({ options, restore: { id }, killAt: steps.indexOf("journal written") });
    const gone = { ...options, env: { ...server.env, PGSERVICEFILE: "/nowhere" } };
    expect(await createCheckpoint({ scope: "a.txt" }, gone)).toMatchObject({
      status: "created",
      notes: expect.arrayContaining([expect.stringContaining("was given up")]),
    });
  });

  test("a service that names another database now is refused", async () => {
    const { options } = stage();
    sql("CREATE DATABASE other;", "postgres");
    onTestFinished(() => {
      server.addService("moving", ["dbname=app"]);
      sql("DROP DATABASE other;", "postgres");
    });
    server.addService("moving", ["dbname=app"]);
    const { id } = await create(options, "postgres:moving");
    server.addService("moving", ["dbname=other"]);
    expect(await restoreCheckpoint({ id }, options)).toMatchObject({
      status: "refused",
      code: "bad-input",
      message: expect.stringContaining("another database"),
    });
  });

  test("a role that could not bring it back makes no checkpoint", async () => {
    const { options } = stage();
    sql("DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN;");
    onTestFinished(() => void sql("DROP ROLE reader;"));
    server.addService("reader", ["dbname=app", "user=reader"]);
    const made = await createCheckpoint({ scope: "postgres:reader" }, options);
    expect(made).toMatchObject({
      status: "failed",
      code: "database",
      message: expect.stringContaining("could not be brought back"),
    });
  });

  test("an owner who may create databases, and nothing else, restores, and leaves no database behind", async () => {
    sql("CREATE ROLE owner LOGIN CREATEDB; CREATE DATABASE owned OWNER owner;", "postgres");
    onTestFinished(() => void sql("DROP DATABASE owned; DROP ROLE owner;", "postgres"));
    server.addService("owned", ["dbname=owned", "user=owner"]);
    const { options } = stage();
    sql("SET ROLE owner; CREATE TABLE t (x int); INSERT INTO t VALUES (1); COMMENT ON TABLE t IS 'one';", "owned");
    const { id } = await create(options, "postgres:owned");
    sql("SET ROLE owner; DROP TABLE t; CREATE TABLE later (x int);", "owned");
    const back = await restoreCheckpoint({ id }, options);
    expect(back).toMatchObject({ status: "restored", report: { verification: { match: true } } });
    expect(sql("SELECT x FROM t; SELECT tableowner FROM pg_tables WHERE tablename = 't';", "owned")).toBe("1\nowner");
    const undo = back.status === "restored" ? (back.report.undo?.checkpoint_id ?? "") : "";
    expect(await restoreCheckpoint({ id: undo }, options)).toMatchObject({ status: "restored" });
    expect(sql("SELECT count(*) FROM later;", "owned")).toBe("0");
    expect(databases()).toBe("app owned postgres template0 template1");
  });

  test("the dump can be written out, also where the server is gone", async () => {
    const { options, root } = stage();
    const { id } = await create(options);
    const into = join(root, "..", "out");
    const gone = { ...options, env: { PATH: "/nowhere" } };
    expect(await restoreInto(id, into, gone)).toMatchObject({ status: "written", match: true });
    expect(readFileSync(join(into, "app.sql"), "utf8")).toContain("CREATE TABLE public.people");
  });

  test("no password reaches the manifest, the report, the audit or the mirror", async () => {
    const { options, root } = stage();
    server.addService("secret", ["dbname=app", "password=hunter2hunter2"]);
    const audited = {
      ...options,
      auditAs: "checkpoint snapshot create postgres:secret",
      env: { ...server.env, PGPASSWORD: "hunter3hunter3" },
    };
    const { report } = await create(audited, "postgres:secret");
    const refused = await createCheckpoint({ scope: "postgres:postgresql://u:hunter2hunter2@h/db" }, audited);
    const written = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .filter((file) => readFileSync(join(file.parentPath, file.name), "latin1").includes("hunter"));
    expect(written).toEqual([]);
    expect(JSON.stringify([report, refused])).not.toContain("hunter");
    expect(readdirSync(root)).toContain(".audit");
  });
});

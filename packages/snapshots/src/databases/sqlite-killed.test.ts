import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCheckpoint, restoreCheckpoint } from "../index.ts";
import { buildChildProgram, type ChildProgram } from "../testing/child-program.ts";
import { createWorkspace } from "../testing/workspace.ts";

let child: ChildProgram;
beforeAll(async () => {
  child = await buildChildProgram();
}, 60_000);
afterAll(() => child.remove());

function stage() {
  const workspace = createWorkspace();
  const path = join(workspace.root, "app.db");
  const ask = <T>(work: (db: BetterSqlite3.Database) => T): T => {
    const db = new BetterSqlite3(path);
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  ask((db) => {
    db.pragma("journal_mode = WAL");
    db.exec("CREATE TABLE t (x); INSERT INTO t VALUES ('old')");
  });
  return {
    ...workspace,
    set: (sql: string) => ask((db) => db.exec(sql)),
    look: () => ask((db) => db.prepare("SELECT x FROM t").pluck().all()),
  };
}

test(
  "killed at any step of a restore, the database is old or new, and the next call finishes it",
  { timeout: 240_000 },
  async () => {
    const prepare = async () => {
      const workspace = stage();
      const made = await createCheckpoint({ scope: "sqlite:app.db" }, workspace.options);
      if (made.status !== "created") throw new Error(made.message);
      workspace.set("UPDATE t SET x = 'new'; CREATE TABLE evil (x)");
      return { ...workspace, restore: { id: made.report.checkpoint?.id ?? "" } };
    };
    const first = await prepare();
    const steps = child.run({ options: first.options, restore: first.restore, killAt: null })?.steps ?? [];
    expect(first.look()).toEqual(["old"]);
    const begins = steps.indexOf("journal written");
    expect(begins).toBeGreaterThan(0);
    for (const [killAt, name] of steps.entries()) {
      const workspace = await prepare();
      expect(child.run({ options: workspace.options, restore: workspace.restore, killAt })).toBeNull();
      expect([["old"], ["new"]], `killed at ${name}`).toContainEqual(workspace.look());
      const next = await createCheckpoint({ scope: "sqlite:app.db" }, workspace.options);
      expect(next.status).toBe("created");
      expect(workspace.look(), `after ${name}`).toEqual([killAt >= begins ? "old" : "new"]);
      expect(await restoreCheckpoint(workspace.restore, workspace.options)).toMatchObject({
        report: { verification: { match: true } },
      });
      expect(workspace.look()).toEqual(["old"]);
    }
  },
);

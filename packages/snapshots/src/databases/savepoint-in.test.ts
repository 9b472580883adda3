import BetterSqlite3 from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { savepointIn } from "./savepoint-in.ts";

interface Tables {
  readonly t: { readonly x: number };
}

async function transaction() {
  const database = new BetterSqlite3(":memory:");
  database.exec("CREATE TABLE t (x)");
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
  onTestFinished(() => db.destroy());
  const trx = await db.startTransaction().execute();
  return {
    trx,
    insert: (x: number) => trx.insertInto("t").values({ x }).execute(),
    rows: async () => (await trx.selectFrom("t").select("x").execute()).map(({ x }) => x),
  };
}

test("everything since the mark is taken back, again and again, and nothing before it", async () => {
  const { trx, insert, rows } = await transaction();
  await insert(1);
  const savepoint = await savepointIn(trx, { reason: "before the risky part" });
  await insert(2);
  expect(await savepoint.restore()).toBe("done");
  expect(await rows()).toEqual([1]);
  await insert(3);
  expect(await savepoint.restore()).toBe("done");
  expect(await rows()).toEqual([1]);
  await trx.commit().execute();
});

test("a mark that is let go keeps what was written; marks nest", async () => {
  const { trx, insert, rows } = await transaction();
  const outer = await savepointIn(trx);
  await insert(1);
  const inner = await savepointIn(trx);
  await insert(2);
  expect(await inner.release()).toBe("done");
  expect(await rows()).toEqual([1, 2]);
  expect(await outer.restore()).toBe("done");
  expect(await rows()).toEqual([]);
  await trx.rollback().execute();
});

test("it says that it is not durable, and ends with the transaction", async () => {
  const { trx } = await transaction();
  const { id, report, restore, release } = await savepointIn(trx, { reason: "token=abcdefgh", now: () => new Date(0) });
  expect(id).toMatch(/^chk_19700101_000000_[0-9a-z]{6}$/);
  expect(report).toMatchObject({
    durable: false,
    checkpoint: { id, type: "database_savepoint" },
    pre_mutation_state: { hash: null },
  });
  expect(JSON.stringify(report)).not.toContain("abcdefgh");
  expect(report.evidence_anchors.filter((anchor) => anchor.includes(id))).toHaveLength(2);
  await trx.commit().execute();
  expect(await restore()).toBe("transaction-ended");
  expect(await release()).toBe("transaction-ended");
});

import { hashOf, makeToken } from "@agent-checkpoint/team";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isPostgresMissing, type Postgres, startPostgres } from "../testing/start-postgres.ts";
import { aMachine, aRow, openTeam, sumsAndRows } from "../testing/team-stage.ts";
import { inviteFirstAdmin, invite, listMachines, revoke } from "./administer.ts";
import { fold, prepareDatabase, type TeamDatabase } from "./connect.ts";
import { databaseTarget, enrol, ingestLines, replaceToken } from "./machine-calls.ts";

const isMissing = isPostgresMissing();
let postgres: Postgres;
let url: string;
let team: TeamDatabase;

beforeAll(async () => {
  if (isMissing) return;
  postgres = await startPostgres();
  url = await postgres.database("team");
  team = await openTeam(url);
}, 60_000);
afterAll(async () => {
  if (isMissing) return;
  await team.close();
  await postgres.remove();
}, 60_000);

const lines = (...rows: readonly object[]) => rows.map((row) => JSON.stringify(row));
const send = (hash: string, ...rows: readonly object[]) => ingestLines(team.pool, hash, lines(...rows));
let numbers = 0;
const fresh = (fields: object = {}) => aRow((numbers += 1), fields);
const rowOf = async ({ uid }: { readonly uid: string }) =>
  (await team.pool.query("select * from checkpoint.stops where uid = $1", [uid])).rows as Record<string, unknown>[];

describe.skipIf(isMissing)("exactly once", () => {
  test("however often and in whatever order batches come, within one batch too", async () => {
    const { hash } = await aMachine(team);
    const rows = Array.from({ length: 20 }, () => fresh());
    const sent = [rows.slice(10), rows.slice(0, 12), [...rows].toReversed(), [...rows, ...rows], rows];
    const inserted = await Promise.all(sent.map(async (batch) => (await send(hash, ...batch)).inserted));
    expect(inserted.reduce((sum, count) => sum + count, 0)).toBe(20);
    for (const row of rows) expect(await rowOf(row)).toHaveLength(1);
  });

  test("a home that was copied to another machine brings no row twice", async () => {
    const [one, other] = [await aMachine(team), await aMachine(team)];
    const [shared, own] = [fresh(), fresh()];
    expect(await send(one.hash, shared)).toMatchObject({ inserted: 1 });
    expect(await send(other.hash, shared, own)).toMatchObject({ inserted: 1 });
  });

  test("the sums are those of the rows, though batches and folding overlap", async () => {
    const { hash } = await aMachine(team);
    const work = Array.from({ length: 12 }, async (_, index) => {
      const day = new Date(Date.now() - index * 43_000_000).toISOString();
      const rows = [fresh({ at: day, decision: "block" }), fresh({ at: day, repository: `r${index % 3}` })];
      await Promise.all([send(hash, ...rows), fold(team), send(hash, ...rows)]);
    });
    await Promise.all(work);
    while ((await fold(team)) > 0);
    const [sums, rows] = await sumsAndRows(team);
    expect(sums).toEqual(rows);
  });
});

describe.skipIf(isMissing)("two versions of clients", () => {
  test("an older one leaves out what came later, a newer one's fields are kept", async () => {
    const { hash } = await aMachine(team);
    const { t, uid, at, agent } = fresh();
    const newer = fresh({ mood: "good", nested: { a: [1] } });
    expect(await send(hash, { t, uid, at, agent, decision: "pass" }, newer)).toMatchObject({
      inserted: 2,
      refused: [],
    });
    expect(await rowOf({ uid })).toMatchObject([{ extra: null, reason: null, rules: [], client: null }]);
    expect(await rowOf(newer)).toMatchObject([{ extra: { mood: "good", nested: { a: [1] } }, client: "1.0.0" }]);
  });

  test("rows that cannot be stored are named, and keep no other out", async () => {
    const { hash } = await aMachine(team);
    const good = fresh();
    // The first passes every check of ours; the database's calendar has no such day.
    const answer = await send(hash, fresh({ at: "2026-02-31T00:00:00Z" }), { ...fresh(), uid: "x" }, good);
    expect(answer).toMatchObject({ received: 3, inserted: 1 });
    expect(answer.refused.toSorted((one, other) => one.line - other.line)).toEqual([
      { line: 0, reason: expect.stringMatching(/^(at|database-22008)$/) },
      { line: 1, reason: "uid" },
    ]);
    expect(await rowOf(good)).toHaveLength(1);
  });
});

describe.skipIf(isMissing)("who may come in", () => {
  test("a code lets one machine in, once; the same machine may ask again", async () => {
    const code = await invite(team, { role: "machine", isShared: false, days: 1 });
    const request = { code, tokenHash: hashOf(makeToken()), name: "laptop" };
    const first = await enrol(team.pool, request);
    expect(await enrol(team.pool, request)).toEqual(first);
    await expect(enrol(team.pool, { ...request, tokenHash: hashOf(makeToken()) })).rejects.toMatchObject({
      code: "28000",
    });
    await expect(enrol(team.pool, { ...request, code: "A".repeat(22) })).rejects.toMatchObject({ code: "28000" });
  });

  test("codes and tokens are in no table", async () => {
    const code = await invite(team, { role: "machine", isShared: false, days: 1 });
    const { token } = await aMachine(team);
    const { rows } = await team.pool.query(
      "select string_agg(t::text, '') || (select string_agg(i::text, '') from checkpoint.invites i) as all from checkpoint.tokens t",
    );
    const [{ all }] = rows as [{ all: string }];
    for (const secret of [code, token]) expect(all).not.toContain(secret);
    expect(all).toContain(hashOf(token));
  });

  test("a revoked machine is refused, and its rows stay", async () => {
    const { hash, machine } = await aMachine(team);
    const row = fresh();
    await send(hash, row);
    expect([await revoke(team, machine), await revoke(team, machine)]).toEqual([true, false]);
    await expect(send(hash, fresh())).rejects.toMatchObject({ code: "28000" });
    expect(await rowOf(row)).toHaveLength(1);
  });

  test("a new token ends the old one at its first use, and not before", async () => {
    const { hash } = await aMachine(team);
    const newer = hashOf(makeToken());
    await replaceToken(team.pool, hash, newer);
    expect(await send(hash, fresh())).toMatchObject({ inserted: 1 });
    expect(await send(newer, fresh())).toMatchObject({ inserted: 1 });
    await expect(send(hash, fresh())).rejects.toMatchObject({ code: "28000" });
  });

  test("an old token is to be replaced, a shared one is not", async () => {
    const [own, shared] = [await aMachine(team), await aMachine(team, "machine", true)];
    await team.pool.query(
      "update checkpoint.tokens set made_at = now() - interval '31 days' where machine_id = any($1)",
      [[own.machine, shared.machine]],
    );
    expect([(await send(own.hash, fresh())).rotate, (await send(shared.hash, fresh())).rotate]).toEqual([true, false]);
  });

  test("the first admin is invited until there is one; the last code counts", async () => {
    const other = await openTeam(await postgres.database("first"));
    onTestFinished(() => other.close());
    const [lost, code] = [await inviteFirstAdmin(other), await inviteFirstAdmin(other)];
    const request = { tokenHash: hashOf(makeToken()), name: "admin", publicKey: "the key" };
    await expect(enrol(other.pool, { ...request, code: lost ?? "" })).rejects.toMatchObject({ code: "28000" });
    expect(await enrol(other.pool, { ...request, code: code ?? "" })).toMatchObject({
      role: "admin",
      publicKey: "the key",
    });
    expect(await inviteFirstAdmin(other)).toBeNull();
    expect(await listMachines(other, 10)).toMatchObject([{ name: "admin" }]);
  });
});

describe.skipIf(isMissing)("a hostile client with a login of its own", () => {
  /** A connection with a login that was granted one of the roles. */
  async function loginAs(role: string): Promise<pg.Client> {
    const name = `login_${role}_${(numbers += 1)}`;
    await team.pool.query(`create role ${name} login; grant checkpoint_${role} to ${name}`);
    const address = new URL(url);
    address.username = name;
    const client = new pg.Client({ connectionString: address.href });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }
  const denied = { code: "42501" };

  test("as a machine it can call the functions, and touch no table", async () => {
    const client = await loginAs("machine");
    const { hash } = await aMachine(team);
    const ingest = "select checkpoint.ingest(decode($1, 'hex'), $2::jsonb)";
    await expect(client.query(ingest, [hash, JSON.stringify([fresh()])])).resolves.toMatchObject({ rowCount: 1 });
    await expect(client.query(ingest, ["00".repeat(32), "[]"])).rejects.toMatchObject({ code: "28000" });
    for (const table of [
      "stops",
      `stops_${new Date().toISOString().slice(0, 7).replace("-", "")}`,
      "stops_default",
      "outcomes",
      "tokens",
      "machines",
      "invites",
      "settings",
      "stops_day",
      "rules",
    ])
      await expect(client.query(`select from checkpoint.${table}`)).rejects.toMatchObject(denied);
    await expect(client.query("select checkpoint.fold(1)")).rejects.toMatchObject(denied);
    await expect(client.query("set role checkpoint_ingest")).rejects.toMatchObject(denied);
  });

  test("a machine cannot write in another's name, even with the rights of the functions", async () => {
    const [me, other] = [await aMachine(team), await aMachine(team)];
    await send(other.hash, fresh());
    const client = await loginAs("ingest");
    await client.query("select set_config('checkpoint.machine', $1, false)", [String(me.machine)]);
    const insert =
      "insert into checkpoint.stops (stopped_at, uid, machine_id, repository_id, agent, decision) values (now(), gen_random_uuid(), $1, 1, 'x', 'pass')";
    await expect(client.query(insert, [other.machine])).rejects.toMatchObject(denied);
    await expect(client.query(insert, [me.machine])).resolves.toMatchObject({ rowCount: 1 });
    const { rows } = await client.query("select distinct machine_id from checkpoint.stops");
    expect(rows).toEqual([{ machine_id: me.machine }]);
    await expect(client.query("update checkpoint.stops set decision = 'block'")).rejects.toMatchObject(denied);
    await expect(client.query("delete from checkpoint.stops")).rejects.toMatchObject(denied);
  });

  test("a member reads sums, and neither rows nor machines; an admin cannot change what happened", async () => {
    const member = await loginAs("member");
    await expect(member.query("select from checkpoint.stops_day")).resolves.toBeDefined();
    for (const table of ["stops", "outcomes", "machines", "tokens", "invites"])
      await expect(member.query(`select from checkpoint.${table}`)).rejects.toMatchObject(denied);
    const admin = await loginAs("admin");
    await expect(admin.query("select from checkpoint.stops")).resolves.toBeDefined();
    await expect(admin.query("select from checkpoint.tokens")).rejects.toMatchObject(denied);
    await expect(admin.query("delete from checkpoint.stops")).rejects.toMatchObject(denied);
  });

  test("a machine may write straight to the database, with the same token", async () => {
    const { token } = await aMachine(team);
    const address = new URL(url);
    await loginAs("machine");
    address.username = `login_machine_${numbers}`;
    const target = databaseTarget(address.href, token);
    onTestFinished(() => target.close());
    const row = fresh();
    expect(await target.send([row])).toMatchObject({ ok: true, inserted: 1 });
    expect(await target.send([row])).toMatchObject({ ok: true, inserted: 0 });
    expect(await target.rules()).toEqual({ ok: true, rules: null });
    const wrong = databaseTarget(address.href, makeToken());
    onTestFinished(() => wrong.close());
    expect(await wrong.send([row])).toMatchObject({ ok: false, reason: "refused" });
    const nowhere = databaseTarget("postgres://127.0.0.1:1/none", token);
    expect(await nowhere.send([row])).toMatchObject({ ok: false, reason: "later" });
  });
});

test.skipIf(isMissing)("a connection that breaks in the middle of a transaction ends nothing but that", async () => {
  const broken = team.as("admin", async (db) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    await team.pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    return sql`select 1`.execute(db);
  });
  await expect(broken).rejects.toThrow(/terminat|connection|queryable/i);
  expect((await team.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

describe.skipIf(isMissing)("months", () => {
  const partOf = async ({ uid }: { readonly uid: string }) =>
    (await team.pool.query("select tableoid::regclass::text as part from checkpoint.stops where uid = $1", [uid])).rows;

  test("rows lie in their months; a clock that is years ahead has a place, and no sum", async () => {
    const { hash } = await aMachine(team);
    const [today, far] = [fresh(), fresh({ at: "2099-01-01T00:00:00Z", repository: "of the future" })];
    await send(hash, today, far);
    const month = today.at.slice(0, 7).replace("-", "");
    expect(await partOf(today)).toEqual([{ part: `checkpoint.stops_${month}` }]);
    expect(await partOf(far)).toEqual([{ part: "checkpoint.stops_default" }]);
    while ((await fold(team)) > 0);
    const { rows } = await team.pool.query(
      "select from checkpoint.stops_day join checkpoint.repositories r on r.id = repository_id where r.name = 'of the future'",
    );
    expect(rows).toEqual([]);
    // When its month is made, it moves there.
    await team.pool.query("select checkpoint.make_month('2099-01-01')");
    expect(await partOf(far)).toEqual([{ part: "checkpoint.stops_209901" }]);
    expect(await send(hash, far)).toMatchObject({ inserted: 0 });
  });

  test("months that are too old are dropped whole", async () => {
    const address = await postgres.database("old");
    const other = await openTeam(address);
    onTestFinished(() => other.close());
    const { hash } = await aMachine(other);
    const old = new Date();
    old.setUTCMonth(old.getUTCMonth() - 3);
    await ingestLines(
      other.pool,
      hash,
      lines(aRow(1, { at: old.toISOString() }), aRow(2), aRow(3, { at: "2001-01-01T00:00:00Z" })),
    );
    await prepareDatabase(address, { team: "shop", now: new Date(), keepMonths: 1 });
    const { rows } = await other.pool.query("select count(*)::int as left from checkpoint.stops");
    expect(rows).toEqual([{ left: 1 }]);
  });
});

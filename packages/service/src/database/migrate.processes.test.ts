import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { isPostgresMissing, type Postgres, startPostgres } from "../testing/start-postgres.ts";
import { migrate, type Migration, MIGRATIONS } from "./migrate.ts";

const isMissing = isPostgresMissing();
let postgres: Postgres;
beforeAll(async () => {
  if (!isMissing) postgres = await startPostgres({ settings: { max_wal_size: "4GB", maintenance_work_mem: "128MB" } });
}, 60_000);
afterAll(async () => {
  if (!isMissing) await postgres.remove();
}, 60_000);

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const ROWS = 5_000_000;

/** What a later version may do: a column, a column with a constant for all rows, a table, an index. */
const LATER: readonly Migration[] = [
  {
    kind: "statements",
    sql: "alter table stops add column mood text; alter table stops add column weight int not null default 1",
  },
  { kind: "statements", sql: "create table notes (id int primary key)" },
  { kind: "index", name: "stops_by_agent", table: "stops", columns: "agent, stopped_at" },
];

test.skipIf(isMissing)(
  `${ROWS} rows are migrated while machines write, and none of them waits a second for a lock`,
  async () => {
    const url = await postgres.database("large");
    const owner = await connect(url);
    // The first version, without what came after it.
    expect(await migrate(owner, MIGRATIONS.slice(0, 1))).toBe(1);
    await owner.query(
      "select make_month(d::date) from generate_series(timestamp '2026-01-01', '2026-04-01', interval '1 month') d",
    );
    await owner.query(
      `insert into stops (stopped_at, uid, machine_id, repository_id, agent, decision)
     select timestamptz '2026-01-01' + i * interval '1.5 seconds', ('018f0000-0000-8000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 1, 1, 'claude', 'pass'
     from generate_series(1, ${ROWS}) i`,
    );
    const writer = await connect(url);
    // An insert that waits for a lock for a second fails, whatever else the machine does meanwhile.
    await writer.query("set lock_timeout = '1s'");
    const end = new AbortController();
    let written = 0;
    const writing = (async () => {
      for (; !end.signal.aborted; written += 1) {
        await writer.query(
          "insert into checkpoint.stops (stopped_at, uid, machine_id, repository_id, agent, decision) values (timestamptz '2026-02-02' + $1 * interval '1 ms', gen_random_uuid(), 1, 1, 'codex', 'pass')",
          [written],
        );
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const steps = [...MIGRATIONS, ...LATER];
    const second = await connect(url);
    // Two services start at once; one of them migrates.
    const taken = await Promise.all([migrate(owner, steps), migrate(second, steps)]);
    end.abort();
    await writing;
    expect([Math.min(...taken), Math.max(...taken)]).toEqual([0, steps.length - 1]);
    expect(written).toBeGreaterThan(20);
    const { rows } = await owner.query<{ rows: number; weight: number }>(
      "select count(*)::int as rows, min(weight) as weight from stops",
    );
    expect(rows).toEqual([{ rows: ROWS + written, weight: 1 }]);
    const { rows: indexes } = await owner.query(
      "select indisvalid from pg_index where indexrelid = 'checkpoint.stops_by_agent'::regclass",
    );
    expect(indexes).toEqual([{ indisvalid: true }]);
  },
  300_000,
);

test.skipIf(isMissing)(
  "an index that was cut off while it was built is built anew, and a newer database is left alone",
  async () => {
    const url = await postgres.database("cut");
    const client = await connect(url);
    await migrate(client, MIGRATIONS.slice(0, 1));
    await client.query("create index concurrently stops_default_stops_by_repository on stops_default (agent)");
    await client.query(
      "update pg_index set indisvalid = false where indexrelid = 'stops_default_stops_by_repository'::regclass",
    );
    await migrate(client, MIGRATIONS);
    const { rows } = await client.query(
      "select pg_get_indexdef('stops_default_stops_by_repository'::regclass) as text",
    );
    expect(rows).toMatchObject([{ text: expect.stringContaining("repository_id") }]);
    await expect(migrate(client, MIGRATIONS.slice(0, 1))).rejects.toThrow("update the program");
  },
);

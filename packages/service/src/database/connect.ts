import { type ColumnType, type Generated, Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import { migrate, patiently } from "./migrate.ts";

/** The tables that are read and written with queries; machines come in through functions. */
interface Tables {
  readonly settings: { readonly key: string; readonly value: string };
  readonly machines: {
    readonly id: Generated<number>;
    readonly name: string;
    readonly is_shared: Generated<boolean>;
    readonly joined_at: Generated<Date>;
    readonly revoked_at: Date | null;
    readonly last_sync_at: Date | null;
    readonly client: string | null;
  };
  readonly tokens: { readonly hash: Buffer; readonly machine_id: number; readonly role: string };
  readonly invites: {
    readonly hash: Buffer;
    readonly role: string;
    readonly is_shared: boolean;
    readonly expires_at: Date;
    readonly used_at: ColumnType<Date | null, never>;
  };
  readonly page_keys: {
    readonly hash: Buffer;
    readonly kind: "link" | "page";
    readonly role: "member" | "admin";
    readonly machine_id: number;
    readonly expires_at: Date;
  };
  readonly rules: {
    readonly version: number;
    readonly text: string;
    readonly signature: string;
    readonly set_by: number;
  };
  readonly repositories: { readonly id: Generated<number>; readonly name: string };
}

export type Db = Kysely<Tables>;
export type ReaderRole = "member" | "admin";

/** A team's database. */
export interface TeamDatabase {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** Runs queries with the rights of a role, so that they see only what it may see. */
  readonly as: <Result>(role: ReaderRole, work: (db: Transaction<Tables>) => Promise<Result>) => Promise<Result>;
  readonly close: () => Promise<void>;
}

export interface ConnectOptions {
  readonly connections?: number | undefined;
  /** Called for connections that break while idle. */
  readonly onLost?: ((error: Error) => void) | undefined;
}

/** Opens connections to a team's database, as they are needed. */
export function connectDatabase(url: string, { connections = 8, onLost }: ConnectOptions = {}): TeamDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5000,
    statement_timeout: 30_000,
    application_name: "agent-checkpoint",
  });
  pool.on("error", (error) => onLost?.(error));
  // A connection that breaks in a transaction rejects its statement; without a listener it would end the process too.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }).withSchema("checkpoint");
  return {
    db,
    pool,
    as: (role, work) =>
      db.transaction().execute(async (transaction) => {
        await sql`set local role ${sql.ref(`checkpoint_${role}`)}`.execute(transaction);
        return work(transaction);
      }),
    close: () => pool.end(),
  };
}

export interface PrepareOptions {
  readonly team: string;
  readonly now: Date;
  /** How many months rows are kept; sums are kept for three times as long. */
  readonly keepMonths: number;
}

/** Brings the schema to the newest version, and makes and drops the partitions that are due. */
export async function prepareDatabase(url: string, options: PrepareOptions): Promise<void> {
  // The session keeps its lock, so it is not one of the pool's.
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await migrate(client);
    await client.query("insert into settings values ('team', $1) on conflict do nothing", [options.team]);
    await keepPartitions(client, options);
  } finally {
    await client.end();
  }
}

/** How many months back rows are expected: a machine keeps ninety days. */
const MONTHS_BACK = 4;
const MONTHS_AHEAD = 2;

async function keepPartitions(client: pg.Client, { now, keepMonths }: PrepareOptions): Promise<void> {
  const monthAt = (offset: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString().slice(0, 10);
  await client.query("set lock_timeout = 300");
  for (let offset = -Math.min(MONTHS_BACK, keepMonths); offset <= MONTHS_AHEAD; offset += 1)
    await patiently(() => client.query("select make_month($1)", [monthAt(offset)]));
  await patiently(() => client.query("select drop_months($1)", [monthAt(-keepMonths)]));
  for (const table of ["stops_day", "rules_day", "repositories_day"])
    await client.query(`delete from ${table} where day < $1`, [monthAt(-3 * keepMonths)]);
}

/** Adds what is new to the sums; returns how many sums changed. */
export async function fold({ pool }: Pick<TeamDatabase, "pool">): Promise<number> {
  const { rows } = await pool.query<{ changed: number }>("select checkpoint.fold(50000) as changed", []);
  return rows[0]?.changed ?? 0;
}

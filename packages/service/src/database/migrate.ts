import type { Client } from "pg";
import { BASE_TABLES } from "./schema.ts";

/**
 * A step from an older schema to a newer one. Statements run in one transaction. An index is built on each partition
 * without a lock that keeps writers out, and then attached.
 */
export type Migration =
  | { readonly kind: "statements"; readonly sql: string }
  | { readonly kind: "index"; readonly name: string; readonly table: string; readonly columns: string };

/**
 * The steps in order. A released step never changes; later ones only add tables, columns with no or a constant default,
 * and indexes, because clients and services of older versions go on.
 */
export const MIGRATIONS: readonly Migration[] = [
  { kind: "statements", sql: BASE_TABLES },
  { kind: "index", name: "stops_by_repository", table: "stops", columns: "repository_id, stopped_at desc" },
];

/** One process migrates at a time. */
const LOCK = "hashtext('checkpoint.migrate')";
/** A statement that waits for a lock holds up everything behind it, so it gives up and is tried again. */
const LOCK_WAIT_MS = 300;
const ATTEMPTS = 200;

/** Brings the schema to the newest version; returns how many steps that took. Of several processes one does it. */
export async function migrate(client: Client, migrations: readonly Migration[] = MIGRATIONS): Promise<number> {
  // A statement that waits for the lock would be waited for by the one that builds an index, and neither would ever end.
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>(`select pg_try_advisory_lock(${LOCK}) as mine`);
    if (rows[0]?.mine === true) break;
    await pause();
  }
  try {
    await client.query("create schema if not exists checkpoint");
    await client.query("set search_path = checkpoint, pg_temp");
    await client.query(
      "create table if not exists migrations (version int primary key, at timestamptz not null default now())",
    );
    const found = await client.query<{ version: number }>(
      "select coalesce(max(version), 0) as version from migrations",
    );
    const version = found.rows[0]?.version ?? 0;
    if (version > migrations.length)
      throw new Error(
        `the database has version ${version}, this program knows ${migrations.length}; update the program`,
      );
    for (const [index, step] of migrations.entries()) {
      if (index < version) continue;
      if (step.kind === "statements") await runStatements(client, step.sql, index + 1);
      else await buildIndex(client, step, index + 1);
    }
    return migrations.length - version;
  } finally {
    await client.query(`select pg_advisory_unlock(${LOCK})`);
  }
}

async function runStatements(client: Client, sql: string, version: number): Promise<void> {
  await patiently(async () => {
    await client.query("begin");
    try {
      await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`);
      await client.query(sql);
      await client.query("insert into migrations (version) values ($1)", [version]);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback");
      throw error;
    }
  });
}

async function buildIndex(client: Client, step: Extract<Migration, { kind: "index" }>, version: number): Promise<void> {
  const { name, table, columns } = step;
  const parts = await client.query<{ part: string; built: boolean | null }>(
    `select c.relname as part, (select x.indisvalid from pg_index x where x.indexrelid = to_regclass('checkpoint.' || c.relname || '_' || $2)) as built
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('checkpoint.' || $1) order by 1`,
    [table, name],
  );
  for (const { part, built } of parts.rows) {
    const own = `${part}_${name}`;
    // An index whose build was interrupted is of no use.
    if (built === false) await client.query(`drop index concurrently ${own}`);
    if (built !== true) await client.query(`create index concurrently ${own} on ${part} (${columns})`);
  }
  await patiently(async () => {
    await client.query("begin");
    try {
      await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`);
      await client.query(`create index if not exists ${name} on only ${table} (${columns})`);
      for (const { part } of parts.rows) await client.query(`alter index ${name} attach partition ${part}_${name}`);
      await client.query("insert into migrations (version) values ($1)", [version]);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback");
      throw error;
    }
  });
}

/** Tries again if a lock was not available. */
export async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isLocked = error instanceof Error && "code" in error && error.code === "55P03";
      if (!isLocked || attempt === ATTEMPTS) throw error;
      await pause();
    }
  }
}

/** A random wait, so that two that wait for each other do not collide again. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 100));
}

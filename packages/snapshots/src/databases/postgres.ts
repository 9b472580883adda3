import { hash, randomBytes } from "node:crypto";
import { chmodSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { count } from "../manifest.ts";
import type { Context } from "../place.ts";
import { digestFile } from "../read-files.ts";
import { SafetyError } from "../trouble.ts";
import { changedMeanwhile, type DatabaseDriver, type DumpFacts, type Replacement } from "./database-savepoint.ts";
import { connectionOf, ownDatabase, psql, runProgram, type Server, type Target, tryPsql } from "./psql.ts";

/** PostgreSQL: the name is a service of `pg_service.conf`, and a dump is SQL. */
export function postgres({ env, databaseWaitMs }: Context): DatabaseDriver {
  const server = { env, waitMs: databaseWaitMs };
  return {
    dump: (service, file) => dumpPostgres(service, file, server),
    rehearse: async ({ name: service, dump, again }) => {
      await dropOldRehearsals(service, server);
      const database = `${REHEARSAL}${Math.floor(Date.now() / 1000)}_${randomBytes(4).toString("hex")}`;
      try {
        await createLike(service, database, server);
        await loadDump({ service, database }, dump, server);
        await writeDump({ service, database }, again, server);
      } finally {
        await dropDatabase(service, database, server);
      }
    },
    replace: (replacement) => replacePostgres(replacement, server),
    fileName: (service) => `${service}.sql`,
  };
}

/** Dumps the database of a service, after making sure that it could be brought back. */
async function dumpPostgres(service: string, file: string, server: Server): Promise<DumpFacts> {
  const { identity, tables } = await readFacts(service, server);
  await writeDump({ service }, file, server);
  return {
    mode: 0,
    identity,
    summary: `${count(Number(tables), "table")}, ${statSync(file).size} bytes`,
    assumptions: [
      "Roles, tablespaces and the server's own settings are not part of a PostgreSQL database, and so not of its dump.",
    ],
  };
}

/**
 * Writes a database as SQL. The plain form is the same text for the same state, which the custom one with its times and
 * object numbers is not, so its hash is the hash of the state.
 */
async function writeDump(target: Target, file: string, { env, waitMs }: Server): Promise<void> {
  const args = ["--format=plain", "--no-password", "--no-sync", `--lock-wait-timeout=${waitMs}`, `--file=${file}`];
  const dumped = await runProgram(
    "pg_dump",
    [...args, ...(await restrictKey(env)), `--dbname=${connectionOf(target)}`],
    { env },
  );
  if (!dumped.ok)
    throw new SafetyError("database", `\`postgres:${target.service}\` cannot be dumped: ${dumped.detail}.`);
  chmodSync(file, 0o600);
}

/** Newer versions lock psql's own commands with a word that is a random one unless it is given. */
async function restrictKey(env: Server["env"]): Promise<readonly string[]> {
  const help = await runProgram("pg_dump", ["--help"], { env });
  return help.ok && help.stdout.includes("--restrict-key") ? ["--restrict-key=agentcheckpoint"] : [];
}

async function readFacts(
  service: string,
  { env }: Server,
): Promise<{ readonly identity: string; readonly tables: string }> {
  const [line = ""] = await psql({ service }, { sql: FACTS }, { env });
  const facts = JSON.parse(line) as Readonly<Record<"database" | "system" | "tables", string>> &
    Readonly<Record<"mayCreate" | "mayReplace" | "isReplicated", boolean>>;
  if (!facts.mayCreate || !facts.mayReplace) {
    throw new SafetyError(
      "database",
      `\`postgres:${service}\` could not be brought back by its role: that takes a new database in the place of this one.`,
      "Use a service whose role may create databases and owns this one.",
    );
  }
  if (facts.isReplicated) {
    throw new SafetyError(
      "database",
      `\`postgres:${service}\` is part of a logical replication, which a new database in its place would break.`,
      "Take a backup by the means of that replication.",
    );
  }
  return { identity: `${facts.database} in system ${facts.system}`, tables: facts.tables };
}

const FACTS = `
SELECT json_build_object(
  'database', current_database(),
  'system', (SELECT system_identifier::text FROM pg_control_system()),
  'tables', (SELECT count(*)::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'),
  'mayCreate', (SELECT rolsuper OR rolcreatedb FROM pg_roles WHERE rolname = current_user),
  'mayReplace', (SELECT pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = current_database()),
  'isReplicated', EXISTS (SELECT FROM pg_replication_slots WHERE database = current_database())
);
`;

/** Makes an empty database with the encoding, locale, owner, settings, rights and comment of a service's own. */
async function createLike(service: string, fresh: string, server: Server): Promise<void> {
  const { name, beside } = await ownDatabase(service, server);
  const values = { name, fresh };
  await psql(beside, { sql: CREATE, values }, server);
  await psql(beside, { sql: DRESS, values }, server);
}

/**
 * Each row that the first statement gives is a statement, which `\gexec` runs.
 * The default tablespace is taken by itself, and only a superuser may name it.
 */
const CREATE = String.raw`
SELECT format('CREATE DATABASE %I WITH TEMPLATE template0 ENCODING %L LC_COLLATE %L LC_CTYPE %L OWNER %I CONNECTION LIMIT %s',
    :'fresh', pg_encoding_to_char(d.encoding), d.datcollate, d.datctype, pg_get_userbyid(d.datdba), d.datconnlimit)
  || CASE WHEN t.spcname = 'pg_default' THEN '' ELSE format(' TABLESPACE %I', t.spcname) END
  || CASE to_jsonb(d) ->> 'datlocprovider'
    WHEN 'i' THEN format(' LOCALE_PROVIDER icu ICU_LOCALE %L', coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale'))
    WHEN 'b' THEN format(' LOCALE_PROVIDER builtin BUILTIN_LOCALE %L', to_jsonb(d) ->> 'datlocale')
    ELSE '' END
FROM pg_database d JOIN pg_tablespace t ON t.oid = d.dattablespace WHERE d.datname = :'name' \gexec
`;

/** What a database has besides its contents; the value of a list is written as the catalogue holds it, quoted already. */
const DRESS = String.raw`
SELECT format('ALTER %sDATABASE %I SET %I TO ', CASE s.setrole WHEN 0 THEN '' ELSE format('ROLE %I IN ', pg_get_userbyid(s.setrole)) END,
    :'fresh', split_part(setting, '=', 1))
  || CASE WHEN split_part(setting, '=', 1) IN ('search_path', 'temp_tablespaces', 'local_preload_libraries', 'session_preload_libraries')
    THEN substr(setting, strpos(setting, '=') + 1) ELSE quote_literal(substr(setting, strpos(setting, '=') + 1)) END
FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase, unnest(s.setconfig) AS setting
WHERE d.datname = :'name' \gexec
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', :'fresh')
FROM pg_database WHERE datname = :'name' AND datacl IS NOT NULL \gexec
SELECT format('GRANT %s ON DATABASE %I TO %s%s', a.privilege_type, :'fresh',
    CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
    CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
FROM pg_database d, aclexplode(d.datacl) a WHERE d.datname = :'name' AND d.datacl IS NOT NULL AND a.grantee <> d.datdba \gexec
SELECT format('COMMENT ON DATABASE %I IS %L', :'fresh', shobj_description(oid, 'pg_database'))
FROM pg_database WHERE datname = :'name' AND shobj_description(oid, 'pg_database') IS NOT NULL \gexec
`;

/** Loads a dump into an empty database, all of it or nothing. */
async function loadDump(target: Target, dump: string, { env }: Server): Promise<void> {
  const args = ["--no-psqlrc", "--no-password", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"];
  const loaded = await runProgram(
    "psql",
    [...args, "--output=/dev/null", `--file=${dump}`, `--dbname=${connectionOf(target)}`],
    { env },
  );
  if (!loaded.ok)
    throw new SafetyError(
      "database",
      `The dump of \`postgres:${target.service}\` cannot be loaded: ${loaded.detail}.`,
      "Nothing was changed in the database.",
    );
}

/** Drops one of our own databases, if it is there. */
async function dropDatabase(service: string, database: string, server: Server): Promise<void> {
  const { beside } = await ownDatabase(service, server);
  await psql(beside, { sql: 'DROP DATABASE IF EXISTS :"database";', values: { database } }, server);
}

/** Whether a database of a name is there. */
async function hasDatabase(service: string, database: string, server: Server): Promise<boolean> {
  const sql = "SELECT 1 FROM pg_database WHERE datname = :'database';";
  return (await psql({ service }, { sql, values: { database } }, server)).length > 0;
}

/** The databases of rehearsals are named by the second they began in. */
const REHEARSAL = "agent_checkpoint_rehearsal_";

/** Drops what rehearsals that were cut short have left; one that may still be running is left alone. */
async function dropOldRehearsals(service: string, server: Server): Promise<void> {
  const before = String(Math.floor(Date.now() / 1000) - HOUR);
  const { beside } = await ownDatabase(service, server);
  await psql(beside, { sql: DROP_OLD, values: { rehearsal: REHEARSAL, before } }, server);
}

const HOUR = 3600;

const DROP_OLD = String.raw`
SELECT format('DROP DATABASE IF EXISTS %I', datname) FROM pg_database
WHERE starts_with(datname, :'rehearsal') AND pg_has_role(datdba, 'USAGE')
  AND split_part(substr(datname, length(:'rehearsal') + 1), '_', 1) ~ '^\d{1,15}$'
  AND split_part(substr(datname, length(:'rehearsal') + 1), '_', 1)::bigint < :'before'::bigint \gexec
`;

/**
 * Loads a dump into a fresh database and lets it take the other's name, in one transaction. Loading over the old one
 * would leave behind what was made since. The old one is checked once more when it is no longer writable, and
 * dropped only if it is what the checkpoint for undoing holds.
 */
async function replacePostgres(replacement: Replacement, server: Server): Promise<void> {
  const { name: service, from, dump, staging, isResumed, isDone } = replacement;
  if (dump === null) throw new SafetyError("database", `\`postgres:${service}\` was there when it was captured.`);
  const own = hash("sha256", staging).slice(0, 16);
  const fresh = `agent_checkpoint_new_${own}`;
  const old = `agent_checkpoint_old_${own}`;
  if (isResumed) await tidyUp({ service, fresh, old, from }, server, staging);
  if (isDone) return;
  try {
    await createLike(service, fresh, server);
    await loadDump({ service, database: fresh }, dump, server);
    await swap({ service, fresh, old }, server);
  } catch (error) {
    await dropDatabase(service, fresh, server);
    throw error;
  }
  if (await holds({ service, database: old }, from.oid, { server, staging })) {
    return dropDatabase(service, old, server);
  }
  await swap({ service, fresh: old, old: fresh }, server);
  await dropDatabase(service, fresh, server);
  throw changedMeanwhile(`postgres:${service}`);
}

interface Names {
  readonly service: string;
  readonly fresh: string;
  readonly old: string;
}

/** Removes what a restore that was cut short has left; an old database that nothing else holds stays. */
async function tidyUp(
  { service, fresh, old, from }: Names & Pick<Replacement, "from">,
  server: Server,
  staging: string,
): Promise<void> {
  await dropDatabase(service, fresh, server);
  if (!(await hasDatabase(service, old, server))) return;
  if (await holds({ service, database: old }, from.oid, { server, staging })) await dropDatabase(service, old, server);
}

async function holds(
  target: { readonly service: string; readonly database: string },
  oid: string | null,
  { server, staging }: { readonly server: Server; readonly staging: string },
): Promise<boolean> {
  const file = join(staging, "old");
  try {
    await writeDump(target, file, server);
    return digestFile(file).oid === oid;
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * Swaps names in one transaction. Idle sessions are ended, since a database in use cannot be renamed; one that is in the
 * middle of something is waited for, and when it takes too long nothing is changed.
 */
async function swap({ service, fresh, old }: Names, server: Server): Promise<void> {
  const { env, waitMs } = server;
  const until = Date.now() + waitMs;
  const { name, beside: target } = await ownDatabase(service, server);
  for (;;) {
    const busy = await psql(target, { sql: BUSY, values: { name } }, { env });
    const swapped =
      busy.length === 0 ? await tryPsql(target, { sql: SWAP, values: { name, fresh, old } }, { env }) : null;
    if (swapped?.ok === true) return;
    if (swapped !== null && !swapped.detail.includes("being accessed by other users"))
      throw new SafetyError("database", `\`postgres:${service}\`: ${swapped.detail}.`, "Nothing was changed.");
    if (Date.now() > until) {
      throw new SafetyError(
        "locked",
        `\`postgres:${service}\` is in use by ${busy.length === 0 ? "sessions that come back at once" : busy.join(", ")}.`,
        "Nothing was changed. End them, and try again.",
      );
    }
    await pause(200);
  }
}

const BUSY = `
SELECT coalesce(nullif(application_name, ''), 'a program without a name') || ' (' || coalesce(state, 'unknown') || ', pid ' || pid || ')'
FROM pg_stat_activity WHERE datname = :'name' AND backend_type = 'client backend' AND state IS DISTINCT FROM 'idle';
`;

const SWAP = `
BEGIN;
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = :'name' AND backend_type = 'client backend' AND state = 'idle';
ALTER DATABASE :"name" RENAME TO :"old";
ALTER DATABASE :"fresh" RENAME TO :"name";
COMMIT;
`;

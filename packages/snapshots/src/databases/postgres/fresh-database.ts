import { SafetyError } from "../../trouble.ts";
import { type Server, type Target, connectionOf, ownDatabase, psql, runProgram } from "./psql.ts";

/** Makes an empty database with the encoding, locale, owner, settings, rights and comment of a service's own. */
export async function createLike(service: string, fresh: string, server: Server): Promise<void> {
  const { name, beside } = await ownDatabase(service, server);
  const values = { name, fresh };
  await psql(beside, { sql: CREATE, values }, server);
  await psql(beside, { sql: DRESS, values }, server);
}

/** Each row that the first statement gives is a statement, which `\gexec` runs. */
const CREATE = String.raw`
SELECT format('CREATE DATABASE %I WITH TEMPLATE template0 ENCODING %L LC_COLLATE %L LC_CTYPE %L OWNER %I TABLESPACE %I CONNECTION LIMIT %s',
    :'fresh', pg_encoding_to_char(d.encoding), d.datcollate, d.datctype, pg_get_userbyid(d.datdba), t.spcname, d.datconnlimit)
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
export async function loadDump(target: Target, dump: string, { env }: Server): Promise<void> {
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
export async function dropDatabase(service: string, database: string, server: Server): Promise<void> {
  const { beside } = await ownDatabase(service, server);
  await psql(beside, { sql: 'DROP DATABASE IF EXISTS :"database";', values: { database } }, server);
}

/** Whether a database of a name is there. */
export async function hasDatabase(service: string, database: string, server: Server): Promise<boolean> {
  const sql = "SELECT 1 FROM pg_database WHERE datname = :'database';";
  return (await psql({ service }, { sql, values: { database } }, server)).length > 0;
}

/** The databases of rehearsals are named by the second they began in. */
export const REHEARSAL = "agent_checkpoint_rehearsal_";

/** Drops what rehearsals that were cut short have left; one that may still be running is left alone. */
export async function dropOldRehearsals(service: string, server: Server): Promise<void> {
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

import { chmodSync, statSync } from "node:fs";
import { count } from "../../create/report.ts";
import { SafetyError } from "../../trouble.ts";
import type { DumpFacts } from "../driver.ts";
import { type Server, type Target, connectionOf, psql, runProgram } from "./psql.ts";

/** Dumps the database of a service, after making sure that it could be brought back. */
export async function dumpPostgres(service: string, file: string, server: Server): Promise<DumpFacts> {
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
export async function writeDump(target: Target, file: string, { env, waitMs }: Server): Promise<void> {
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

import { chmodSync, closeSync, existsSync, openSync, statSync, writeSync } from "node:fs";
import { count } from "../../create/summary.ts";
import { SafetyError } from "../../trouble.ts";
import type { DumpFacts } from "../driver.ts";
import { openSqlite } from "./open-sqlite.ts";
import { sqliteTrouble } from "./sqlite-trouble.ts";

/**
 * Dumps a database with `VACUUM INTO`, which sees what its log holds and what other connections have committed.
 * The dump is the same for the same contents once the number is set that every restore counts up.
 */
export async function dumpSqlite(
  path: string,
  file: string,
  { waitMs }: { readonly waitMs: number },
): Promise<DumpFacts | null> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    refuseOrphanedLog(path);
    return null;
  }
  if (!stats.isFile()) throw new SafetyError("bad-input", `\`${path}\` is no SQLite database: it is no file.`);
  try {
    const source = await openSqlite(path, { isReadonly: true, waitMs });
    try {
      source.prepare("VACUUM INTO ?").run(file);
    } finally {
      source.close();
    }
    chmodSync(file, 0o600);
    setSchemaCookie(file);
    return { mode: stats.mode & 0o7777, identity: null, ...(await check(path, file)) };
  } catch (error) {
    throw sqliteTrouble(path, error);
  }
}

/** A log without its database would be played into whatever is put in its place. */
function refuseOrphanedLog(path: string): void {
  const log = ["-wal", "-journal"].map((suffix) => path + suffix).find((name) => existsSync(name));
  if (log === undefined) return;
  throw new SafetyError(
    "in-the-way",
    `There is no \`${path}\`, but there is its log \`${log}\`.`,
    "Move it away first.",
  );
}

/** Bytes 40 to 43 of a database count changes of its schema; a restore counts on, so the number says nothing of the state. */
function setSchemaCookie(file: string): void {
  const opened = openSync(file, "r+");
  try {
    writeSync(opened, Buffer.from([0, 0, 0, 1]), 0, 4, 40);
  } finally {
    closeSync(opened);
  }
}

async function check(path: string, file: string): Promise<Pick<DumpFacts, "summary" | "assumptions">> {
  const dump = await openSqlite(file, { isReadonly: true, waitMs: 0 });
  try {
    const [verdict] = dump.pragma("integrity_check(1)") as readonly { readonly integrity_check: string }[];
    if (verdict?.integrity_check !== "ok")
      throw new SafetyError("database", `\`${path}\` is damaged: ${verdict?.integrity_check}.`, "Repair it first.");
    const broken = (dump.pragma("foreign_key_check") as readonly unknown[]).length;
    const tables = dump
      .prepare<[], { readonly count: number }>(
        "SELECT count(*) AS count FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
      )
      .get()?.count;
    return {
      summary: `${count(tables ?? 0, "table")}, ${statSync(file).size} bytes`,
      assumptions:
        broken === 0 ? [] : [`${broken} rows of \`${path}\` point to rows that do not exist, as they did before.`],
    };
  } finally {
    dump.close();
  }
}

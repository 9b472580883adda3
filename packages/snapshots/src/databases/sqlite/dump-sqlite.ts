import { chmodSync, closeSync, existsSync, openSync, statSync, writeSync } from "node:fs";
import { count } from "../../create/report.ts";
import { SafetyError } from "../../trouble.ts";
import type { DumpFacts } from "../driver.ts";
import type { Database } from "better-sqlite3";

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
  if (!stats.isFile()) throw new SafetyError("bad-input", `\`${path}\` is not a SQLite database: it is not a file.`);
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

/** Opens a database that exists. */
export async function openSqlite(
  path: string,
  { isReadonly, waitMs }: { readonly isReadonly: boolean; readonly waitMs: number },
): Promise<Database> {
  const BetterSqlite3 = await loadLibrary();
  return new BetterSqlite3(path, { readonly: isReadonly, fileMustExist: true, timeout: waitMs });
}

/** The library is 27 MB, for eight platforms, so the program is installed without it. */
async function loadLibrary() {
  try {
    return (await import("better-sqlite3")).default;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && String(error.code).endsWith("MODULE_NOT_FOUND"))) throw error;
    throw new SafetyError(
      "database",
      "A snapshot of a SQLite database needs the package better-sqlite3, which is not installed.",
      "Install it beside @agent-checkpoint/cli: npm install --global better-sqlite3@13",
    );
  }
}

/** What SQLite's codes mean for a checkpoint; the first row that matches counts. */
const TROUBLES: readonly {
  readonly code: RegExp;
  readonly trouble: ConstructorParameters<typeof SafetyError>[0];
  readonly what: string;
  readonly advice: string | null;
}[] = [
  {
    code: /^SQLITE_NOTADB/,
    trouble: "bad-input",
    what: "is not a SQLite database",
    advice: "Keep it as a file, without `sqlite:`.",
  },
  {
    code: /^SQLITE_(BUSY|LOCKED)/,
    trouble: "locked",
    what: "is held by another connection",
    advice: "Close it, or wait until it has finished.",
  },
  { code: /^SQLITE_FULL/, trouble: "no-space", what: "does not fit on the disk", advice: "Make room and try again." },
  { code: /^SQLITE_READONLY/, trouble: "not-writable", what: "cannot be written to", advice: null },
  { code: /^SQLITE_CORRUPT/, trouble: "database", what: "is damaged", advice: "Repair it first." },
  { code: /^SQLITE_/, trouble: "database", what: "cannot be used", advice: null },
];

/** The trouble behind an error of SQLite; any other error stays what it is. */
export function sqliteTrouble(path: string, error: unknown): unknown {
  if (error instanceof SafetyError || !(error instanceof Error) || !("code" in error)) return error;
  const row = TROUBLES.find(({ code }) => code.test(String(error.code)));
  if (row === undefined) return error;
  return new SafetyError(row.trouble, `\`${path}\` ${row.what}: ${error.message}.`, row.advice);
}

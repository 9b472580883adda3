import { chmodSync, closeSync, existsSync, openSync, readSync, rmSync, statSync, unlinkSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "better-sqlite3";
import { move, openNew } from "@agent-checkpoint/files";
import { count } from "../manifest.ts";
import type { Context } from "../place.ts";
import { digestFile } from "../read-files.ts";
import { SafetyError } from "../trouble.ts";
import { changedMeanwhile, type DatabaseDriver, type DumpFacts } from "./database-savepoint.ts";

/** SQLite: the name is the path of the file, and a dump is a database itself. */
export function sqlite({ databaseWaitMs }: Pick<Context, "databaseWaitMs">): DatabaseDriver {
  return {
    dump: (path, file) => dumpSqlite(path, file, { waitMs: databaseWaitMs }),
    rehearse: async ({ dump, folder, again }) => {
      const copy = join(folder, "database");
      await replaceSqlite(copy, { dump, mode: 0o600, waitMs: databaseWaitMs, expected: null });
      await dumpSqlite(copy, again, { waitMs: databaseWaitMs });
    },
    replace: async ({ name, from, to, dump, staging, isDone }) => {
      const expected = from.oid === null ? null : { oid: from.oid, folder: staging };
      if (!isDone) await replaceSqlite(name, { dump, mode: to.mode, waitMs: databaseWaitMs, expected });
    },
    fileName: (path) => basename(path),
  };
}

/**
 * Dumps a database with `VACUUM INTO`, which sees what its log holds and what other connections have committed.
 * The dump is the same for the same contents once the number is set that every restore counts up.
 */
async function dumpSqlite(
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
async function openSqlite(
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
function sqliteTrouble(path: string, error: unknown): unknown {
  if (error instanceof SafetyError || !(error instanceof Error) || !("code" in error)) return error;
  const row = TROUBLES.find(({ code }) => code.test(String(error.code)));
  if (row === undefined) return error;
  return new SafetyError(row.trouble, `\`${path}\` ${row.what}: ${error.message}.`, row.advice);
}

interface SqliteReplacement {
  /** Null if the database shall be gone. */
  readonly dump: string | null;
  readonly mode: number;
  /** How long another connection may hold the database. */
  readonly waitMs: number;
  /** The id of the dump of what may be replaced, and an empty folder to make sure of it; null if nothing is there. */
  readonly expected: { readonly oid: string; readonly folder: string } | null;
}

/**
 * Replaces what a database holds, in one transaction of its own: through the backup interface, so that open connections
 * and the log see it, and a reader or an interrupted restore sees the old state or the new one.
 *
 * What is replaced is what was expected: the database is dumped and compared, then locked, and under the lock its header
 * and that of its log show whether anything was committed since the dump.
 */
async function replaceSqlite(path: string, replacement: SqliteReplacement): Promise<void> {
  const { dump, mode } = replacement;
  try {
    if (dump === null) return await removeSqlite(path, replacement);
    const isNew = statSync(path, { throwIfNoEntry: false }) === undefined;
    if (isNew) closeSync(openNew(path));
    try {
      await copyInto(dump, path, isNew ? { ...replacement, expected: null } : replacement);
    } catch (error) {
      if (isNew) rmSync(path, { force: true });
      throw error;
    }
    if ((statSync(path).mode & 0o7777) !== mode) chmodSync(path, mode);
  } catch (error) {
    throw sqliteTrouble(path, error);
  }
}

async function copyInto(dump: string, path: string, { waitMs, expected }: SqliteReplacement): Promise<void> {
  const until = Date.now() + waitMs;
  const source = await openSqlite(dump, { isReadonly: true, waitMs: 0 });
  // The log's index stays as it is as long as a connection is open.
  const keeper = await openSqlite(path, { isReadonly: true, waitMs });
  try {
    for (;;) {
      keeper.pragma("schema_version");
      const headers = headersOf(path);
      if (expected !== null) await refuseOther(path, { ...expected, waitMs });
      const before = await schemaCookie(path, waitMs);
      let isLocked = false;
      let isChanged = false;
      await source
        .backup(path, {
          progress: ({ totalPages }) => {
            // From the first step on the database is locked, so this is the last word on what others have written.
            isChanged = !isLocked && expected !== null && headersOf(path) !== headers;
            isLocked = true;
            if (isChanged) throw new Error("written to since the dump");
            // A lock of another process shows only as a lack of progress, and the library would wait forever.
            if (Date.now() > until) throw heldTooLong(path, waitMs);
            return Math.max(totalPages, 1);
          },
        })
        .catch((error: unknown) => {
          if (!isChanged) throw error;
        });
      // The library also takes a lock at the first or the last step for the end; what was copied counts the cookie up.
      if (!isChanged && (await schemaCookie(path, waitMs)) !== before) return;
      if (Date.now() > until) throw heldTooLong(path, waitMs);
      await pause(20);
    }
  } finally {
    keeper.close();
    source.close();
  }
}

/** What changes with every commit: the header of the database, and that of its log's index. */
function headersOf(path: string): string {
  return [headerOf(path, 100), headerOf(`${path}-shm`, 48), String(statSync(path).size)].join(":");
}

function headerOf(path: string, length: number): string {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return "";
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(length);
    readSync(file, bytes, 0, length, 0);
    return bytes.toString("hex");
  } finally {
    closeSync(file);
  }
}

/** Refuses to replace what is not expected. */
async function refuseOther(
  path: string,
  { oid, folder, waitMs }: { readonly oid: string; readonly folder: string; readonly waitMs: number },
): Promise<void> {
  const file = join(folder, "now");
  try {
    if ((await dumpSqlite(path, file, { waitMs })) !== null && digestFile(file).oid === oid) return;
  } finally {
    rmSync(file, { force: true });
  }
  throw changedMeanwhile(path);
}

async function schemaCookie(path: string, waitMs: number): Promise<unknown> {
  const database = await openSqlite(path, { isReadonly: true, waitMs });
  try {
    return database.pragma("schema_version", { simple: true });
  } finally {
    database.close();
  }
}

function heldTooLong(path: string, waitMs: number): SafetyError {
  return new SafetyError(
    "locked",
    `Another connection has held \`${path}\` for ${waitMs} ms.`,
    "Nothing was changed. End its transaction, and try again.",
  );
}

/** Removes a database and its log, after checking that no transaction is open and that it holds what is expected. */
async function removeSqlite(path: string, { waitMs, expected }: SqliteReplacement): Promise<void> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  const away = `${path}.checkpoint-away`;
  const database = await openSqlite(path, { isReadonly: false, waitMs });
  try {
    // Out of the log mode gets only the last connection, so this is refused while another program has it open.
    database.pragma("journal_mode = DELETE");
    database.exec("BEGIN EXCLUSIVE");
    move(path, away);
  } finally {
    database.close();
  }
  try {
    if (expected !== null) await refuseOther(away, { ...expected, waitMs });
  } catch (error) {
    move(away, path);
    throw error;
  }
  unlinkSync(away);
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}

import { chmodSync, closeSync, openSync, readSync, renameSync, rmSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SafetyError } from "../../trouble.ts";
import { digestFile } from "../digest-file.ts";
import { dumpSqlite, openSqlite, sqliteTrouble } from "./dump-sqlite.ts";

export interface SqliteReplacement {
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
export async function replaceSqlite(path: string, replacement: SqliteReplacement): Promise<void> {
  const { dump, mode } = replacement;
  try {
    if (dump === null) return await removeSqlite(path, replacement);
    const isNew = statSync(path, { throwIfNoEntry: false }) === undefined;
    if (isNew) closeSync(openSync(path, "wx", 0o600));
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
  throw new SafetyError(
    "changed-by-others",
    `\`${path}\` was written to while it was being restored.`,
    "Nothing of that was lost: the database is as it was. Stop what writes to it, and try again.",
  );
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
    renameSync(path, away);
  } finally {
    database.close();
  }
  try {
    if (expected !== null) await refuseOther(away, { ...expected, waitMs });
  } catch (error) {
    renameSync(away, path);
    throw error;
  }
  unlinkSync(away);
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}

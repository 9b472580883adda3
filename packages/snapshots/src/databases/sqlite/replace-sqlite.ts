import { chmodSync, closeSync, openSync, rmSync, statSync, unlinkSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { SafetyError } from "../../trouble.ts";
import { openSqlite } from "./open-sqlite.ts";
import { sqliteTrouble } from "./sqlite-trouble.ts";

export interface SqliteReplacement {
  /** Null where the database shall be gone. */
  readonly dump: string | null;
  readonly mode: number;
  /** How long another connection may hold the database. */
  readonly waitMs: number;
}

/**
 * Replaces what a database holds, in one transaction of its own: through the backup interface, so that open connections
 * and the log see it, and whoever reads or is cut short sees the old state or the new one.
 */
export async function replaceSqlite(path: string, { dump, mode, waitMs }: SqliteReplacement): Promise<void> {
  try {
    if (dump === null) return await removeSqlite(path, waitMs);
    const isNew = statSync(path, { throwIfNoEntry: false }) === undefined;
    if (isNew) closeSync(openSync(path, "wx", 0o600));
    try {
      await copyInto(dump, path, waitMs);
    } catch (error) {
      if (isNew) rmSync(path, { force: true });
      throw error;
    }
    if ((statSync(path).mode & 0o7777) !== mode) chmodSync(path, mode);
  } catch (error) {
    throw sqliteTrouble(path, error);
  }
}

async function copyInto(dump: string, path: string, waitMs: number): Promise<void> {
  const until = Date.now() + waitMs;
  const source = await openSqlite(dump, { isReadonly: true, waitMs: 0 });
  try {
    for (;;) {
      const before = await schemaCookie(path, waitMs);
      await source.backup(path, {
        progress: ({ totalPages }) => {
          // A lock that somebody else holds shows only by nothing moving, and the library would wait for ever.
          if (Date.now() > until) throw heldTooLong(path, waitMs);
          return Math.max(totalPages, 1);
        },
      });
      // The library also takes a lock at the first or the last step for the end; what was copied counts the cookie up.
      if ((await schemaCookie(path, waitMs)) !== before) return;
      if (Date.now() > until) throw heldTooLong(path, waitMs);
      await pause(20);
    }
  } finally {
    source.close();
  }
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

/** Removes a database and its log, after making sure that nobody is in the middle of something. */
async function removeSqlite(path: string, waitMs: number): Promise<void> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  const database = await openSqlite(path, { isReadonly: false, waitMs });
  try {
    // Out of the log mode gets only the last connection, so this is refused while another program has it open.
    database.pragma("journal_mode = DELETE");
    database.exec("BEGIN EXCLUSIVE");
    unlinkSync(path);
  } finally {
    database.close();
  }
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}

import { ensureHome } from "../files/ensure-home.ts";
import { StoreError, toStoreError } from "../store-error.ts";
import { createDatabase } from "./create-database.ts";
import { databasePath, fileIdentity } from "./database-file.ts";
import { migrate } from "./migrate.ts";
import { setAside } from "./set-aside.ts";
import { readPragma, type SqliteFile } from "./sqlite-file.ts";
import type { HomeLock } from "./with-home-lock.ts";

/** An open database and which file it is. */
export interface OpenedDatabase {
  readonly sqlite: SqliteFile;
  readonly identity: string;
}

const MAX_ATTEMPTS = 5;

/**
 * A record outlives the process, if not a power cut; SQLite as Node has it would wait for the disk at every commit.
 * Who opens a database that was not closed reads its log: a short one is read in a fraction of a millisecond.
 */
const SETTINGS = "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 250";

/** Opens the database of a home with today's tables and makes it where there is none. Throws a `StoreError`. */
export function openDatabase(lock: HomeLock, at: Date): OpenedDatabase {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const identity = existingDatabase(lock, at);
    const sqlite = identity === null ? null : openFile(lock, identity, at);
    if (identity !== null && sqlite !== null) return { identity, sqlite };
  }
  throw new StoreError("locked", `${databasePath(lock.home)} was replaced by another process again and again`);
}

function existingDatabase(lock: HomeLock, at: Date): string | null {
  const path = databasePath(lock.home);
  try {
    ensureHome(lock.home);
    const identity = fileIdentity(path);
    if (identity !== null) return identity;
    createDatabase(lock, at);
  } catch (error) {
    throw toStoreError(error, "cannot-create");
  }
  return fileIdentity(path);
}

/** The database if it still is the file that was found; null if another process has set that one aside. */
function openFile(lock: HomeLock, identity: string, at: Date): SqliteFile | null {
  const path = databasePath(lock.home);
  let sqlite: SqliteFile | null = null;
  try {
    sqlite = lock.openSqlite(path, { timeout: lock.busyTimeoutMs, fileMustExist: true });
    // The first read opens the log beside the file, by name. Only a file that has kept its name until now has got its own log.
    readPragma(sqlite, "user_version");
    if (fileIdentity(path) === identity) {
      migrate(sqlite);
      sqlite.exec(SETTINGS);
      return sqlite;
    }
    sqlite.close();
    return null;
  } catch (error) {
    sqlite?.close();
    if (fileIdentity(path) !== identity) return null;
    const fault = toStoreError(error);
    throw fault.reason === "corrupt" ? setAside(lock, { identity, fault, at }) : fault;
  }
}

import type { Database as Sqlite } from "better-sqlite3";
import { ensureHome } from "../files/ensure-home.ts";
import { StoreError, toStoreError } from "../store-error.ts";
import { createDatabase } from "./create-database.ts";
import { databasePath, fileIdentity } from "./database-file.ts";
import { migrate } from "./migrate.ts";
import { setAside } from "./set-aside.ts";
import type { HomeLock } from "./with-home-lock.ts";

/** An open database and which file it is. */
export interface OpenedDatabase {
  readonly sqlite: Sqlite;
  readonly identity: string;
}

const MAX_ATTEMPTS = 5;

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
function openFile(lock: HomeLock, identity: string, at: Date): Sqlite | null {
  const path = databasePath(lock.home);
  let sqlite: Sqlite | null = null;
  try {
    sqlite = lock.libraries.openSqlite(path, { timeout: lock.busyTimeoutMs, fileMustExist: true });
    // The first read opens the log beside the file, by name. Only a file that has kept its name until now has got its own log.
    sqlite.pragma("user_version");
    if (fileIdentity(path) === identity) {
      migrate(sqlite);
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

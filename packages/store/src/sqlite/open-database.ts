import { ensureHome } from "../home.ts";
import { StoreError, toStoreError } from "../store-error.ts";
import { createDatabase, type DatabaseHome, databasePath, fileIdentity, setAside } from "./database-file.ts";
import { immediately, readPragma, type SqliteFile } from "./sqlite-file.ts";

/** An open database and which file it is. */
export interface OpenedDatabase {
  readonly sqlite: SqliteFile;
  readonly identity: string;
}

/** What a database is opened with. */
export interface OpenDatabaseOptions {
  readonly migrations: readonly string[];
  readonly at: Date;
}

const MAX_ATTEMPTS = 5;

/**
 * A record outlives the process, if not a power cut; SQLite as Node has it would wait for the disk at every commit.
 * A process that opens a database that was not closed reads its log: a short one is read in a fraction of a millisecond.
 */
const SETTINGS = "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 250";

/** Opens the database of a home with today's tables and makes it if there is none. Throws a `StoreError`. */
export function openDatabase(home: DatabaseHome, options: OpenDatabaseOptions): OpenedDatabase {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const identity = existingDatabase(home, options);
    const sqlite = identity === null ? null : openFile(home, identity, options);
    if (identity !== null && sqlite !== null) return { identity, sqlite };
  }
  throw new StoreError("locked", `${databasePath(home.home)} was replaced by another process again and again`);
}

function existingDatabase(home: DatabaseHome, { migrations, at }: OpenDatabaseOptions): string | null {
  const path = databasePath(home.home);
  try {
    ensureHome(home.home);
    const identity = fileIdentity(path);
    if (identity !== null) return identity;
    createDatabase(home, (sqlite) => migrate(sqlite, migrations), at);
  } catch (error) {
    throw toStoreError(error, "cannot-create");
  }
  return fileIdentity(path);
}

/** The database if it still is the file that was found; null if another process has set that one aside. */
function openFile(home: DatabaseHome, identity: string, { migrations, at }: OpenDatabaseOptions): SqliteFile | null {
  const path = databasePath(home.home);
  let sqlite: SqliteFile | null = null;
  try {
    sqlite = home.openSqlite(path, { timeout: home.busyTimeoutMs, fileMustExist: true });
    // The first read opens the log beside the file, by name. Only a file that has kept its name until now has got its own log.
    readPragma(sqlite, "user_version");
    if (fileIdentity(path) === identity) {
      migrate(sqlite, migrations);
      sqlite.exec(SETTINGS);
      return sqlite;
    }
    sqlite.close();
    return null;
  } catch (error) {
    sqlite?.close();
    if (fileIdentity(path) !== identity) return null;
    const fault = toStoreError(error);
    throw fault.reason === "corrupt" ? setAside(home, { identity, fault, at }) : fault;
  }
}

/**
 * Brings the tables up to date in one transaction, so that they are of one version or the other and never in between.
 * A file of a newer version is left alone, and so is one with tables but no version: it is not ours.
 */
export function migrate(sqlite: SqliteFile, migrations: readonly string[]): void {
  const found = knownVersion(sqlite, migrations);
  if (found === migrations.length) return;
  // Only a file without tables takes this: rows that are deleted later make room for the system, not only for us.
  if (found === 0) sqlite.exec("PRAGMA auto_vacuum = INCREMENTAL");
  immediately(sqlite, () => {
    // Another process may have been faster while this one waited for the lock.
    const version = knownVersion(sqlite, migrations);
    if (version === 0 && hasTables(sqlite))
      throw new StoreError("unusable", `${sqlite.path} is a database of another program; move it away`);
    for (const step of migrations.slice(version)) sqlite.exec(step);
    sqlite.exec(`PRAGMA user_version = ${migrations.length}`);
  });
  if (found === 0) sqlite.exec("PRAGMA journal_mode = WAL");
}

function knownVersion(sqlite: SqliteFile, migrations: readonly string[]): number {
  const version = Number(readPragma(sqlite, "user_version"));
  if (version <= migrations.length) return version;
  throw new StoreError(
    "newer-schema",
    `${sqlite.path} has schema version ${version}, this program knows ${migrations.length}; update the program`,
  );
}

function hasTables(sqlite: SqliteFile): boolean {
  return sqlite.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").rows([]).length > 0;
}

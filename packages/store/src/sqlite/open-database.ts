import { closeSync, constants, existsSync, lstatSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureHome, move, openNew, publish } from "@agent-checkpoint/files";
import { StoreError, type StoreFault, toStoreError } from "../store-error.ts";
import { immediately, type OpenSqlite, readPragma, type SqliteFile } from "./node-sqlite.ts";

/** An open database and which file it is. */
export interface OpenedDatabase {
  readonly sqlite: SqliteFile;
  readonly identity: string;
}

export interface OpenDatabaseOptions {
  readonly migrations: readonly string[];
  readonly at: Date;
}

const MAX_ATTEMPTS = 5;

/**
 * A record survives the process, but not a power cut; by default SQLite waits for the disk at every commit.
 * A process that opens a database that was not closed reads its log, so the log is kept short.
 */
const SETTINGS = "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 250";

/** Opens the database of a home with today's tables, or creates it. Throws a `StoreError`. */
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

/** The database, if it is still the file that was found; null if another process has set that file aside. */
function openFile(home: DatabaseHome, identity: string, { migrations, at }: OpenDatabaseOptions): SqliteFile | null {
  const path = databasePath(home.home);
  let sqlite: SqliteFile | null = null;
  try {
    sqlite = home.openSqlite(path, { timeout: home.busyTimeoutMs, fileMustExist: true });
    // The first read opens the log beside the file, by name. It is this file's own log only if the file still has its name.
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
 * Migrates the tables in one transaction, so that they are never between two versions.
 * A file of a newer version is left alone, and so is one with tables but no version: it is not ours.
 */
export function migrate(sqlite: SqliteFile, migrations: readonly string[]): void {
  const found = knownVersion(sqlite, migrations);
  if (found === migrations.length) return;
  // SQLite accepts this only before the first table: the space of deleted rows can be returned to the system.
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

/** The home whose database is opened, created or moved. */
export interface DatabaseHome {
  readonly home: string;
  readonly openSqlite: OpenSqlite;
  /** How long to wait for another process. */
  readonly busyTimeoutMs: number;
}

export function databasePath(home: string): string {
  return join(home, "checkpoint.db");
}

/** Distinguishes a file from another that gets its name later; null if there is no file. */
export function fileIdentity(path: string): string | null {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isFile()) throw new StoreError("unusable", `${path} is not a regular file; move it away`);
  return `${stats.dev}:${stats.ino}`;
}

/** Creates the database unless it exists; it appears under its name complete or not at all. */
export function createDatabase(home: DatabaseHome, fill: (sqlite: SqliteFile) => void, at: Date): void {
  const path = databasePath(home.home);
  withHomeLock(home, () => {
    if (fileIdentity(path) !== null) return;
    // A log left behind without its database would be replayed into the new one.
    moveAside(path, at);
    const draft = `${path}.new`;
    for (const suffix of ["-journal", ...FILES]) rmSync(`${draft}${suffix}`, { force: true });
    closeSync(openNew(draft));
    const sqlite = home.openSqlite(draft, { timeout: 0 });
    try {
      fill(sqlite);
    } finally {
      sqlite.close();
    }
    publish(draft, path);
  });
}

/** A database that SQLite called corrupt. */
export interface SuspectDatabase {
  /** Distinguishes it from a new one that another process may have created since. */
  readonly identity: string;
  readonly fault: StoreError;
  readonly at: Date;
}

/**
 * Renames a corrupt database, so that the next call creates a new one, and returns the error with what happened to the file.
 * SQLite also calls a database corrupt if the disk fails to read it, so a new connection checks it first: a sound one stays.
 */
export function setAside(home: DatabaseHome, { identity, fault, at }: SuspectDatabase): StoreError {
  const path = databasePath(home.home);
  let reason: StoreFault = "corrupt";
  let outcome = "another process has set it aside";
  try {
    withHomeLock(home, () => {
      if (fileIdentity(path) !== identity) return;
      const doubt = findDoubt(home, path);
      reason = doubt === null ? "corrupt" : "unusable";
      outcome = doubt === null ? `set aside as ${moveAside(path, at)}` : `left in place, because ${doubt}`;
    });
  } catch (error) {
    outcome = `could not be set aside: ${toStoreError(error).message}`;
  }
  return new StoreError(reason, `${fault.message}; ${path}: ${outcome}`, { cause: fault });
}

/** Why the database may be sound; null if it is damaged. */
function findDoubt({ openSqlite, busyTimeoutMs }: DatabaseHome, path: string): string | null {
  let sqlite: SqliteFile | null = null;
  try {
    sqlite = openSqlite(path, { timeout: busyTimeoutMs, fileMustExist: true, readonly: true });
    return readPragma(sqlite, "integrity_check(1)") === "ok" ? "a new connection finds it sound" : null;
  } catch (error) {
    const { reason, message } = toStoreError(error);
    return reason === "corrupt" ? null : `a new connection cannot tell: ${message}`;
  } finally {
    sqlite?.close();
  }
}

/** The database first: without it, other processes wait for the lock. Then SQLite's files beside it. */
const FILES = ["", "-wal", "-shm"] as const;

/** Renames the database and the files beside it, so that nothing opens them. */
function moveAside(path: string, at: Date): string {
  const stamp = at.toISOString().replace(/[-:.]/g, "");
  let target = `${path}.corrupt-${stamp}`;
  for (let copy = 2; FILES.some((suffix) => existsSync(target + suffix)); copy += 1)
    target = `${path}.corrupt-${stamp}-${copy}`;
  for (const suffix of FILES) if (existsSync(path + suffix)) move(path + suffix, target + suffix);
  return target;
}

const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Does the work while no other process works under this lock in the same home.
 * The lock is SQLite's own, on an empty file: the system drops it when a process dies, so it cannot be left behind.
 */
function withHomeLock({ home, openSqlite, busyTimeoutMs }: DatabaseHome, work: () => void): void {
  const path = join(home, "checkpoint.lock");
  closeSync(openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600));
  const lock = openSqlite(path, { timeout: busyTimeoutMs });
  try {
    lock.exec("PRAGMA journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
    work();
  } finally {
    lock.close();
  }
}

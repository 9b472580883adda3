import { isAbsolute, sep } from "node:path";
import type * as NodeSqliteModule from "node:sqlite";

/** Opens a file with the SQLite that is part of Node; it is loaded at the first call. */
export function openNodeSqlite(
  path: string,
  { timeout, fileMustExist = false, readonly = false }: OpenFileOptions,
): SqliteFile {
  const { DatabaseSync } = loadQuietly();
  // Only a URL can require that a file exists; a file that is only read is never created.
  const isMade = !fileMustExist && !readonly;
  const location = isMade ? path : `${addressOf(path)}?mode=${readonly ? "ro" : "rw"}`;
  const database = new DatabaseSync(location, { readOnly: readonly });
  try {
    // Node knows an option for it only from 22.16 on.
    database.exec(`PRAGMA busy_timeout = ${timeout}`);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    path,
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        rows: (parameters) => statement.all(...(parameters as SqliteValue[])),
        change: (parameters) => Number(statement.run(...(parameters as SqliteValue[])).changes),
      };
    },
    exec: (sql) => database.exec(sql),
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

/** The URL of a file. Loading `node:url` takes longer than opening the file with SQLite. */
function addressOf(path: string): string {
  if (sep !== "/" || !isAbsolute(path)) return process.getBuiltinModule("node:url").pathToFileURL(path).href;
  return `file://${path.split("/").map(encodeURIComponent).join("/")}`;
}

type NodeSqlite = typeof NodeSqliteModule;
type SqliteValue = string | number | bigint | null | Uint8Array;

/** Loads the module without the warning that it is experimental: nothing of ours belongs on stderr. */
function loadQuietly(): NodeSqlite {
  const spoken = Object.getOwnPropertyDescriptor(process, "emitWarning");
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    if (spoken !== undefined) Object.defineProperty(process, "emitWarning", spoken);
  }
}

/** An open database file, as far as the store uses one. */
export interface SqliteFile {
  readonly path: string;
  /** Prepares a statement, which may run many times. */
  readonly prepare: (sql: string) => PreparedStatement;
  /** Runs statements without parameters and results. */
  readonly exec: (sql: string) => void;
  readonly close: () => void;
}

export interface PreparedStatement {
  /** Runs it and returns its rows. */
  readonly rows: (parameters: readonly unknown[]) => unknown[];
  /** Runs it and returns how many rows it changed. */
  readonly change: (parameters: readonly unknown[]) => number;
}

export interface OpenFileOptions {
  /** How many milliseconds a statement waits for another process. */
  readonly timeout: number;
  readonly fileMustExist?: boolean;
  /** Reads only, and creates nothing. */
  readonly readonly?: boolean;
}

export type OpenSqlite = (path: string, options: OpenFileOptions) => SqliteFile;

/** The first value that a pragma returns, if any. */
export function readPragma(sqlite: SqliteFile, pragma: string): unknown {
  const [row] = sqlite.prepare(`PRAGMA ${pragma}`).rows([]);
  return typeof row === "object" && row !== null ? Object.values(row)[0] : undefined;
}

/** Runs the work in one transaction that holds the write lock from its start. */
export function immediately<Result>(sqlite: SqliteFile, work: () => Result): Result {
  sqlite.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    sqlite.exec("COMMIT");
    return result;
  } catch (error) {
    try {
      sqlite.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back already, as it does when the disk is full.
    }
    throw error;
  }
}

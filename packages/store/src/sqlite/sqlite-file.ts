/** An open database file, as far as the store uses one; each driver gives the same. */
export interface SqliteFile {
  readonly path: string;
  /** Prepares a statement; it is run as often as wanted. */
  readonly prepare: (sql: string) => PreparedStatement;
  /** Runs statements that take and give nothing. */
  readonly exec: (sql: string) => void;
  readonly close: () => void;
}

export interface PreparedStatement {
  /** Runs it and gives its rows. */
  readonly rows: (parameters: readonly unknown[]) => unknown[];
  /** Runs it and gives how many rows it changed. */
  readonly change: (parameters: readonly unknown[]) => number;
}

/** How a database file is opened. */
export interface OpenFileOptions {
  /** How many milliseconds a statement waits for another process. */
  readonly timeout: number;
  readonly fileMustExist?: boolean;
  /** Only looks, and makes nothing. */
  readonly readonly?: boolean;
}

/** Opens a database file with one of the drivers. */
export type OpenSqlite = (path: string, options: OpenFileOptions) => SqliteFile;

/** The first value that a pragma gives, where it gives one. */
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

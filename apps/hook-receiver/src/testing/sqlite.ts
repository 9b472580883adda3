import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Where the library is, for a script of its own process. */
export const SQLITE_LIBRARY: string = require.resolve("better-sqlite3");

/** A database file, as far as tests look into it. */
export interface Sqlite {
  exec(sql: string): void;
  pragma(text: string, options?: { readonly simple: boolean }): unknown;
  prepare(sql: string): {
    all(...values: readonly unknown[]): unknown[];
    run(...values: readonly unknown[]): unknown;
    pluck(): { all(...values: readonly unknown[]): unknown[] };
  };
  close(): void;
}

/** Opens a database file beside the program, with the same library. */
export function openSqlite(path: string, options: { readonly readonly?: boolean } = {}): Sqlite {
  const open = require(SQLITE_LIBRARY) as (path: string, options: object) => Sqlite;
  return open(path, { ...options, fileMustExist: options.readonly === true });
}

/** Brings what stands in the log beside a database into its file, so that the file alone holds all of it. */
export function settle(database: string): void {
  const sqlite = openSqlite(database);
  sqlite.pragma("wal_checkpoint(TRUNCATE)");
  sqlite.close();
}

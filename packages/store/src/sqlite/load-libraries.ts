import type { Database as Sqlite } from "better-sqlite3";
import type { Kysely } from "kysely";
import type { Database } from "./database.ts";

/** SQLite and the query builder, as far as the store uses them. */
export interface Libraries {
  readonly openSqlite: (path: string, options: SqliteOptions) => Sqlite;
  readonly queries: Kysely<Database>;
}

/** How a database file is opened. */
interface SqliteOptions {
  /** How many milliseconds a statement waits for another process. */
  readonly timeout: number;
  readonly fileMustExist?: boolean;
  /** Only looks, and makes nothing. */
  readonly readonly?: boolean;
}

/** Loads both libraries, here and nowhere else: a program that only notes a stop or a log line does without. */
export async function loadLibraries(nativeBinding: string | object | undefined): Promise<Libraries> {
  const [{ default: BetterSqlite3 }, { createQueries }] = await Promise.all([
    import("better-sqlite3"),
    import("./create-queries.ts"),
  ]);
  return {
    openSqlite: (path, options) =>
      // The types know only a path; the library takes the loaded addon as well.
      new BetterSqlite3(path, { ...options, nativeBinding: nativeBinding as string | undefined }),
    queries: createQueries(),
  };
}

import type { Compilable, Kysely } from "kysely";
import type { Database } from "./database.ts";
import { immediately, type SqliteFile } from "./sqlite-file.ts";
import { withoutSecrets } from "./without-secrets.ts";

/**
 * An open database and the statements that can be put to it.
 *
 * A statement is prepared first and run later, so that a transaction does nothing but run: the shorter it holds the
 * lock, the more processes get their turn. Folding the journal is the exception: it reads under the lock.
 *
 * What a hook asks is written in SQL: the query builder takes longer to load and to build than SQLite to answer.
 */
export interface Connection {
  readonly home: string;
  readonly now: () => Date;
  /** Prepares a query; run, it gives its rows. */
  readonly prepareRows: <Row>(sql: string, parameters: readonly unknown[]) => () => Row[];
  /** Prepares a statement; run, it gives the number of rows it changed. */
  readonly prepareRun: (sql: string, parameters: readonly unknown[]) => () => number;
  /** Runs the work in one transaction that holds the write lock from its start. */
  readonly immediately: <Result>(work: () => Result) => Result;
}

/** A connection that takes typed queries as well. */
export interface QueryConnection extends Connection {
  readonly queries: Kysely<Database>;
  readonly prepareQuery: <Row>(query: Compilable<Row>) => () => Row[];
  readonly prepareChange: (statement: Compilable) => () => number;
}

/**
 * Lets statements run in an open database, synchronously: nothing comes between those of a transaction.
 * No secret gets past here, in whatever column.
 */
export function connect(sqlite: SqliteFile, parts: Pick<Connection, "home" | "now">): Connection {
  return {
    ...parts,
    prepareRows: <Row>(sql: string, parameters: readonly unknown[]) => {
      const { rows } = sqlite.prepare(sql);
      const clean = parameters.map(withoutSecrets);
      return () => rows(clean) as Row[];
    },
    prepareRun: (sql, parameters) => {
      const { change } = sqlite.prepare(sql);
      const clean = parameters.map(withoutSecrets);
      return () => change(clean);
    },
    immediately: (work) => immediately(sqlite, work),
  };
}

/** Adds the query builder to a connection, and loads it for that. */
export async function withQueries(connection: Connection): Promise<QueryConnection> {
  const { createQueries } = await import("./create-queries.ts");
  return {
    ...connection,
    queries: createQueries(),
    prepareQuery: <Row>(query: Compilable<Row>) => {
      const { sql, parameters } = query.compile();
      return connection.prepareRows<Row>(sql, parameters);
    },
    prepareChange: (statement) => {
      const { sql, parameters } = statement.compile();
      return connection.prepareRun(sql, parameters);
    },
  };
}

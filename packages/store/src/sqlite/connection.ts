import type { Database as Sqlite } from "better-sqlite3";
import type { Compilable, Kysely } from "kysely";
import type { Database } from "./database.ts";

/**
 * An open database and the queries that can be put to it.
 *
 * A query is built and prepared first and run later, so that a transaction does nothing but run: the shorter it holds the
 * lock, the more processes get their turn.
 */
export interface Connection {
  readonly home: string;
  readonly now: () => Date;
  readonly queries: Kysely<Database>;
  /** Prepares a query; run, it gives its rows. */
  readonly prepareQuery: <Row>(query: Compilable<Row>) => () => Row[];
  /** Prepares a statement; run, it gives the number of rows it changed. */
  readonly prepareChange: (statement: Compilable) => () => number;
  /** Runs the work in one transaction that holds the write lock from its start. */
  readonly immediately: <Result>(work: () => Result) => Result;
}

/** What a connection is made of. */
export interface ConnectionParts extends Pick<Connection, "home" | "now" | "queries"> {
  readonly sqlite: Sqlite;
}

/** Lets typed queries run in an open database, synchronously: nothing comes between the statements of a transaction. */
export function connect({ sqlite, ...parts }: ConnectionParts): Connection {
  return {
    ...parts,
    prepareQuery: <Row>(query: Compilable<Row>) => {
      const { sql, parameters } = query.compile();
      const prepared = sqlite.prepare<unknown[], Row>(sql);
      return () => prepared.all(...parameters);
    },
    prepareChange: (statement) => {
      const { sql, parameters } = statement.compile();
      const prepared = sqlite.prepare(sql);
      return () => prepared.run(...parameters).changes;
    },
    immediately: (work) => sqlite.transaction(work).immediate(),
  };
}

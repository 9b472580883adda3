import { openNodeSqlite, type OpenSqlite } from "../sqlite/node-sqlite.ts";

/** What a store may be opened with: the tests of its contract run with each. */
export const DRIVERS: readonly { readonly sqlite: string; readonly openSqlite: OpenSqlite }[] = [
  { sqlite: "node:sqlite", openSqlite: openNodeSqlite },
];

/** Runs statements in a database file, and makes it if there is none. */
export function execIn(path: string, sql: string): void {
  const sqlite = openNodeSqlite(path, { timeout: 0 });
  sqlite.exec(sql);
  sqlite.close();
}

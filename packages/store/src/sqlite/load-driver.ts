import type { OpenSqlite } from "./sqlite-file.ts";

/** Which SQLite opens the file. */
export interface DriverOptions {
  /**
   * `better-sqlite3` unless given. `node` is the SQLite of this Node: it costs nothing to load, which is what a program
   * wants that starts for one event. Where this Node has none, it is better-sqlite3 after all.
   *
   * A process keeps to one of them: two copies of SQLite in one process do not see each other's locks.
   */
  readonly sqlite?: "better-sqlite3" | "node" | undefined;
  /** The binary of better-sqlite3, as a path or loaded, for a bundle that has it elsewhere; asked for only when needed. */
  readonly nativeBinding?: string | object | (() => string | object | undefined) | undefined;
}

/** Loads the SQLite that is wanted, here and nowhere else: a program that only notes a stop or a log line does without. */
export async function loadDriver({ sqlite, nativeBinding }: DriverOptions = {}): Promise<OpenSqlite> {
  if (sqlite === "node") {
    const { nodeSqlite } = await import("./drivers/node-sqlite.ts");
    const open = nodeSqlite();
    if (open !== null) return open;
  }
  const { betterSqlite3 } = await import("./drivers/better-sqlite3.ts");
  return betterSqlite3(typeof nativeBinding === "function" ? nativeBinding() : nativeBinding);
}

import type { OpenSqlite } from "../sqlite-file.ts";

/** Opens files with better-sqlite3; its binary may be given as a path or loaded. */
export async function betterSqlite3(nativeBinding: string | object | undefined): Promise<OpenSqlite> {
  const { default: BetterSqlite3 } = await import("better-sqlite3");
  return (path, options) => {
    // The types know only a path; the library takes the loaded addon as well.
    const database = new BetterSqlite3(path, { ...options, nativeBinding: nativeBinding as string | undefined });
    return {
      path,
      prepare: (sql) => {
        const statement = database.prepare(sql);
        return {
          rows: (parameters) => statement.all(...parameters),
          change: (parameters) => statement.run(...parameters).changes,
        };
      },
      exec: (sql) => void database.exec(sql),
      close: () => void database.close(),
    };
  };
}

import { isAbsolute, sep } from "node:path";
import type * as NodeSqliteModule from "node:sqlite";
import type { OpenFileOptions, SqliteFile } from "./sqlite-file.ts";

/** Opens a file with the SQLite that is part of Node; it is loaded at the first call. */
export function openNodeSqlite(
  path: string,
  { timeout, fileMustExist = false, readonly = false }: OpenFileOptions,
): SqliteFile {
  const { DatabaseSync } = loadQuietly();
  // Only the address of a file can say that it must exist; one that is only read is never made.
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

/** The address of a file; what makes one everywhere takes longer to load than SQLite to open it. */
function addressOf(path: string): string {
  if (sep !== "/" || !isAbsolute(path)) return process.getBuiltinModule("node:url").pathToFileURL(path).href;
  return `file://${path.split("/").map(encodeURIComponent).join("/")}`;
}

type NodeSqlite = typeof NodeSqliteModule;
type SqliteValue = string | number | bigint | null | Uint8Array;

/** Node calls the module experimental, on stderr, where nothing of ours belongs. */
function loadQuietly(): NodeSqlite {
  const spoken = Object.getOwnPropertyDescriptor(process, "emitWarning");
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    if (spoken !== undefined) Object.defineProperty(process, "emitWarning", spoken);
  }
}

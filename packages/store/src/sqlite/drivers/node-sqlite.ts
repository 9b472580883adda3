import { isAbsolute, sep } from "node:path";
import type * as NodeSqliteModule from "node:sqlite";
import type { OpenSqlite } from "../sqlite-file.ts";

/**
 * Opens files with the SQLite that is part of Node; null where this Node has none.
 * Nothing has to be loaded for it, and no binary has to fit the machine.
 */
export function nodeSqlite(): OpenSqlite | null {
  const library = loadQuietly();
  if (library === undefined) return null;
  return (path, { timeout, fileMustExist = false, readonly = false }) => {
    // Only the address of a file can say that it must exist; one that is only read is never made.
    const isMade = !fileMustExist && !readonly;
    const database = new library.DatabaseSync(isMade ? path : `${addressOf(path)}?mode=${readonly ? "ro" : "rw"}`, {
      readOnly: readonly,
    });
    try {
      // Node knows an option for it only from 22.16 on.
      database.exec(`PRAGMA busy_timeout = ${timeout}`);
    } catch (error) {
      database.close();
      throw error;
    }
    let isOpen = true;
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
        if (isOpen) database.close();
        isOpen = false;
      },
    };
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
function loadQuietly(): NodeSqlite | undefined {
  const spoken = Object.getOwnPropertyDescriptor(process, "emitWarning");
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    if (spoken !== undefined) Object.defineProperty(process, "emitWarning", spoken);
  }
}

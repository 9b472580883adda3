import { statSync } from "node:fs";
import { databasePath, fileIdentity } from "./sqlite/open-database.ts";
import { openNodeSqlite, readPragma } from "./sqlite/node-sqlite.ts";
import { type StoreFault, toStoreError } from "./store-error.ts";
import { MIGRATIONS } from "./tables/schema.ts";

/** The state of a store on disk. */
export type StoreInspection =
  | { readonly status: "absent" }
  | { readonly status: "unreadable"; readonly reason: StoreFault; readonly detail: string }
  | {
      readonly status: "readable";
      readonly bytes: number;
      readonly schemaVersion: number;
      /** The version that this program migrates a database to. */
      readonly knownSchemaVersion: number;
      /** The first damage that SQLite finds; null if it finds none, or the file is too large to check. */
      readonly damage: string | null;
    };

/** Checking a larger database would take seconds. */
const MAX_BYTES_CHECKED = 256 * 1024 * 1024;
const BUSY_TIMEOUT_MS = 500;

/** Examines the database of a home; creates, changes and moves nothing. */
export async function inspectStore(home: string): Promise<StoreInspection> {
  const path = databasePath(home);
  try {
    if (fileIdentity(path) === null) return { status: "absent" };
    const sqlite = openNodeSqlite(path, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true, readonly: true });
    try {
      const { size } = statSync(path);
      const found = size > MAX_BYTES_CHECKED ? "ok" : String(readPragma(sqlite, "quick_check(1)"));
      return {
        status: "readable",
        bytes: size,
        schemaVersion: Number(readPragma(sqlite, "user_version")),
        knownSchemaVersion: MIGRATIONS.length,
        damage: found === "ok" ? null : found,
      };
    } finally {
      sqlite.close();
    }
  } catch (error) {
    const { reason, message } = toStoreError(error);
    return { status: "unreadable", reason, detail: message };
  }
}

import { statSync } from "node:fs";
import { databasePath, fileIdentity } from "./sqlite/open-database.ts";
import { openNodeSqlite, readPragma } from "./sqlite/node-sqlite.ts";
import { type StoreFault, toStoreError } from "./store-error.ts";
import { MIGRATIONS } from "./tables/schema.ts";

/** A store as it lies there. */
export type StoreInspection =
  | { readonly status: "absent" }
  | { readonly status: "unreadable"; readonly reason: StoreFault; readonly detail: string }
  | {
      readonly status: "readable";
      readonly bytes: number;
      readonly schemaVersion: number;
      /** The version that this program brings a database to. */
      readonly knownSchemaVersion: number;
      /** What SQLite finds wrong with the file first; null if nothing is, or if it is too large to look. */
      readonly damage: string | null;
    };

/** A larger database would take seconds to look through. */
const MAX_BYTES_CHECKED = 256 * 1024 * 1024;
const BUSY_TIMEOUT_MS = 500;

/** Looks at the database of a home without making, changing or moving anything. */
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

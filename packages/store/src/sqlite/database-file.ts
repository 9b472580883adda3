import { lstatSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../store-error.ts";

/** What SQLite keeps beside a database in WAL mode. */
export const SIDE_FILES = ["-wal", "-shm"] as const;

/** Where the database of a home is. */
export function databasePath(home: string): string {
  return join(home, "checkpoint.db");
}

/** Tells one file from another that takes its name later; null where there is none. */
export function fileIdentity(path: string): string | null {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isFile()) throw new StoreError("unusable", `${path} is not a regular file; move it away`);
  return `${stats.dev}:${stats.ino}`;
}

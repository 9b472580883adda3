import type { Database as Sqlite } from "better-sqlite3";
import { StoreError } from "../store-error.ts";
import { MIGRATIONS } from "./migrations.ts";

/**
 * Brings the tables up to date in one transaction, so that they are of one version or the other and never in between.
 * A file of a newer version is left alone, and so is one with tables but no version: it is not ours.
 */
export function migrate(sqlite: Sqlite, migrations: readonly string[] = MIGRATIONS): void {
  const found = knownVersion(sqlite, migrations);
  if (found === migrations.length) return;
  const takeSteps = sqlite.transaction(() => {
    // Another process may have been faster while this one waited for the lock.
    const version = knownVersion(sqlite, migrations);
    if (version === 0 && hasTables(sqlite))
      throw new StoreError("unusable", `${sqlite.name} is a database of another program; move it away`);
    for (const step of migrations.slice(version)) sqlite.exec(step);
    sqlite.pragma(`user_version = ${migrations.length}`);
  });
  takeSteps.immediate();
  if (found === 0) sqlite.pragma("journal_mode = WAL");
}

function knownVersion(sqlite: Sqlite, migrations: readonly string[]): number {
  const version = Number(sqlite.pragma("user_version", { simple: true }));
  if (version <= migrations.length) return version;
  throw new StoreError(
    "newer-schema",
    `${sqlite.name} has schema version ${version}, this program knows ${migrations.length}; update the program`,
  );
}

function hasTables(sqlite: Sqlite): boolean {
  return sqlite.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined;
}

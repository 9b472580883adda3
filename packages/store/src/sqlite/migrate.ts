import { StoreError } from "../store-error.ts";
import { MIGRATIONS } from "./migrations.ts";
import { immediately, readPragma, type SqliteFile } from "./sqlite-file.ts";

/**
 * Brings the tables up to date in one transaction, so that they are of one version or the other and never in between.
 * A file of a newer version is left alone, and so is one with tables but no version: it is not ours.
 */
export function migrate(sqlite: SqliteFile, migrations: readonly string[] = MIGRATIONS): void {
  const found = knownVersion(sqlite, migrations);
  if (found === migrations.length) return;
  immediately(sqlite, () => {
    // Another process may have been faster while this one waited for the lock.
    const version = knownVersion(sqlite, migrations);
    if (version === 0 && hasTables(sqlite))
      throw new StoreError("unusable", `${sqlite.path} is a database of another program; move it away`);
    for (const step of migrations.slice(version)) sqlite.exec(step);
    sqlite.exec(`PRAGMA user_version = ${migrations.length}`);
  });
  if (found === 0) sqlite.exec("PRAGMA journal_mode = WAL");
}

function knownVersion(sqlite: SqliteFile, migrations: readonly string[]): number {
  const version = Number(readPragma(sqlite, "user_version"));
  if (version <= migrations.length) return version;
  throw new StoreError(
    "newer-schema",
    `${sqlite.path} has schema version ${version}, this program knows ${migrations.length}; update the program`,
  );
}

function hasTables(sqlite: SqliteFile): boolean {
  return sqlite.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").rows([]).length > 0;
}

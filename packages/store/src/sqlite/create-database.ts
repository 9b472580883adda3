import { closeSync, linkSync, openSync, renameSync, rmSync } from "node:fs";
import { errorCode } from "../store-error.ts";
import { databasePath, fileIdentity, SIDE_FILES } from "./database-file.ts";
import { migrate } from "./migrate.ts";
import { moveAside } from "./set-aside.ts";
import { withHomeLock, type HomeLock } from "./with-home-lock.ts";

/** Makes the database unless it exists; it appears under its name whole or not at all. */
export function createDatabase(lock: HomeLock, at: Date): void {
  const path = databasePath(lock.home);
  withHomeLock(lock, () => {
    if (fileIdentity(path) !== null) return;
    // A log left without its database would be played into the new one.
    moveAside(path, at);
    const draft = `${path}.new`;
    for (const suffix of ["", "-journal", ...SIDE_FILES]) rmSync(`${draft}${suffix}`, { force: true });
    closeSync(openSync(draft, "wx", 0o600));
    const sqlite = lock.openSqlite(draft, { timeout: 0 });
    try {
      migrate(sqlite);
    } finally {
      sqlite.close();
    }
    publish(draft, path);
  });
}

/** Gives the file its name without ever replacing another one. */
function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path);
    rmSync(draft);
  } catch (error) {
    // A file system without links; the lock keeps the name free.
    if (errorCode(error) === "EEXIST") rmSync(draft);
    else renameSync(draft, path);
  }
}

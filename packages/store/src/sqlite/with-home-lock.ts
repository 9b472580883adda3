import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Libraries } from "./load-libraries.ts";

/** The home whose database is to be made or moved. */
export interface HomeLock {
  readonly home: string;
  readonly libraries: Libraries;
  /** How long to wait for another process. */
  readonly busyTimeoutMs: number;
}

/**
 * Does the work while no other process does such work in the same home.
 * The lock is SQLite's own, on an empty file: the system drops it when a process dies, so it cannot be left behind.
 */
export function withHomeLock({ home, libraries, busyTimeoutMs }: HomeLock, work: () => void): void {
  const path = join(home, "checkpoint.lock");
  closeSync(openSync(path, "a", 0o600));
  const lock = libraries.openSqlite(path, { timeout: busyTimeoutMs });
  try {
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
    work();
  } finally {
    lock.close();
  }
}

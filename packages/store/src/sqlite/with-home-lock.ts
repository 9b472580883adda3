import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import type { OpenSqlite } from "./sqlite-file.ts";

/** The home whose database is to be made or moved. */
export interface HomeLock {
  readonly home: string;
  readonly openSqlite: OpenSqlite;
  /** How long to wait for another process. */
  readonly busyTimeoutMs: number;
}

const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Does the work while no other process does such work in the same home.
 * The lock is SQLite's own, on an empty file: the system drops it when a process dies, so it cannot be left behind.
 */
export function withHomeLock({ home, openSqlite, busyTimeoutMs }: HomeLock, work: () => void): void {
  const path = join(home, "checkpoint.lock");
  closeSync(openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600));
  const lock = openSqlite(path, { timeout: busyTimeoutMs });
  try {
    lock.exec("PRAGMA journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
    work();
  } finally {
    lock.close();
  }
}

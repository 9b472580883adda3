import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode, withLock } from "@agent-checkpoint/files";
import { SafetyError } from "../trouble.ts";
import { listIds } from "./load-checkpoint.ts";
import { ensureFolders, ensureStore } from "./repository.ts";
import { foldersOf, type StoreLayout } from "./store-layout.ts";

/**
 * Runs work while no other process writes to the store, and creates the store if there is none.
 * If it fails with nothing in the store, a store that was made for it is removed again.
 */
export async function withStore<T>(layout: StoreLayout, waitMs: number, work: () => Promise<T>): Promise<T> {
  let outermost: string | null = null;
  let isLocked = false;
  const locked = async (): Promise<T> => {
    isLocked = true;
    await ensureStore(layout);
    try {
      return await work();
    } catch (error) {
      if (outermost !== null) emptyStore(layout);
      throw error;
    }
  };
  for (let attempt = 1; ; attempt += 1) {
    if (lstatSync(layout.folder, { throwIfNoEntry: false }) === undefined)
      outermost = mkdirSync(layout.folder, { recursive: true, mode: 0o700 }) ?? null;
    try {
      ensureFolders(layout);
      const result = await withLock(layout.lock, { waitMs }, locked);
      if (result.ok) return result.value;
      throw new SafetyError(
        "locked",
        `The store is in use: ${result.detail}.`,
        `If that process is gone, delete ${layout.lock}.`,
      );
    } catch (error) {
      if (outermost !== null) removeFolders(layout.folder, outermost);
      // The process that held the lock may have removed an empty store.
      if (isLocked || errorCode(error) !== "ENOENT" || attempt === ATTEMPTS) throw error;
    }
  }
}

const ATTEMPTS = 5;

/** Removes what is in a store that holds no snapshot and nothing else of worth. */
function emptyStore(layout: StoreLayout): void {
  try {
    if (listIds(layout).length > 0) return;
    for (const folder of foldersOf(layout)) if (folder !== layout.tmp) rmdirSync(folder);
    rmSync(layout.tmp, { recursive: true, force: true });
    rmSync(layout.repository, { recursive: true, force: true });
    rmSync(layout.counter, { force: true });
  } catch {
    // A write was noted in this moment, which needs no lock.
  }
}

/** Takes a folder and those around it away, up to an outermost one, as long as there is nothing else in them. */
function removeFolders(folder: string, outermost: string): void {
  try {
    if (readdirSync(folder).length > 0) return;
    rmdirSync(folder);
    if (folder !== outermost) removeFolders(dirname(folder), outermost);
  } catch {
    // Another process has begun to use it.
  }
}

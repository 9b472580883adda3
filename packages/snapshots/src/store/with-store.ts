import { lstatSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensureStore } from "./ensure-store.ts";
import { foldersOf, type StoreLayout } from "./store-layout.ts";
import { withStoreLock } from "./with-store-lock.ts";

/**
 * Runs work in a locked store, and creates the store if there is none.
 * If it fails with nothing in the store, a store that was made for it is removed again.
 */
export async function withStore<T>(layout: StoreLayout, waitMs: number, work: () => Promise<T>): Promise<T> {
  let outermost: string | null = null;
  const make = (): void => {
    if (lstatSync(layout.folder, { throwIfNoEntry: false }) === undefined)
      outermost = mkdirSync(layout.folder, { recursive: true, mode: 0o700 }) ?? null;
    ensureStore(layout);
  };
  let isEmpty = false;
  try {
    return await withStoreLock(
      layout,
      waitMs,
      async () => {
        // Retry: the process that held the lock may have removed an empty store.
        ensureStore(layout);
        try {
          return await work();
        } catch (error) {
          isEmpty = outermost !== null && isEmptied(layout);
          throw error;
        }
      },
      make,
    );
  } catch (error) {
    if (isEmpty && outermost !== null) removeFolders(layout.folder, outermost);
    throw error;
  }
}

/** Removes the folders of a store if all are empty, nothing is beside them, and no process waits for the store. */
function isEmptied(layout: StoreLayout): boolean {
  const folders = foldersOf(layout);
  const known = new Set([layout.lock, ...folders]);
  try {
    const found = readdirSync(layout.folder).map((name) => join(layout.folder, name));
    if (!found.every((path) => known.has(path)) || folders.some((folder) => readdirSync(folder).length > 0))
      return false;
    for (const folder of folders) rmdirSync(folder);
    return true;
  } catch {
    // Somebody has noted a write in this moment, which needs no lock.
    return false;
  }
}

/** Takes a folder and those around it away, up to an outermost one, as long as there is nothing else in them. */
function removeFolders(folder: string, outermost: string): void {
  try {
    rmdirSync(folder);
    if (folder !== outermost) removeFolders(dirname(folder), outermost);
  } catch {
    // Another process has begun to use it, or has made one beside it.
  }
}

import { lstatSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensureStore } from "./ensure-store.ts";
import { foldersOf, type StoreLayout } from "./store-layout.ts";
import { withStoreLock } from "./with-store-lock.ts";

/**
 * Does something in a locked store, which is made for it where there is none.
 * Where it fails with nothing in the store, a store that was made for it is taken away again.
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
        // Once more: who held the lock may have made the store in vain, and taken it away.
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

/** Takes the folders in a store away if nothing is in any of them, nor beside them, and nobody waits for the store. */
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
    // Somebody else has begun to use it, or has made one beside it.
  }
}

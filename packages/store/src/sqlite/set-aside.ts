import { existsSync, renameSync } from "node:fs";
import { StoreError, toStoreError } from "../store-error.ts";
import { databasePath, fileIdentity, SIDE_FILES } from "./database-file.ts";
import { withHomeLock, type HomeLock } from "./with-home-lock.ts";

/** A database that was found to be corrupt. */
export interface CorruptDatabase {
  /** Tells it from a new one that another process may have made since. */
  readonly identity: string;
  readonly fault: StoreError;
  readonly at: Date;
}

/** Renames a corrupt database, so that the next call makes a new one, and gives the fault with what became of the file. */
export function setAside(lock: HomeLock, { identity, fault, at }: CorruptDatabase): StoreError {
  const path = databasePath(lock.home);
  let outcome = "another process has set it aside";
  try {
    withHomeLock(lock, () => {
      if (fileIdentity(path) === identity) outcome = `set aside as ${moveAside(path, at)}`;
    });
  } catch (error) {
    outcome = `could not be set aside: ${toStoreError(error).message}`;
  }
  return new StoreError("corrupt", `${fault.message}; ${path}: ${outcome}`, { cause: fault });
}

/** Gives the database and what lies beside it a name that nothing will open. */
export function moveAside(path: string, at: Date): string {
  const stamp = at.toISOString().replace(/[-:.]/g, "");
  let target = `${path}.corrupt-${stamp}`;
  for (let copy = 2; FILES.some((suffix) => existsSync(target + suffix)); copy += 1)
    target = `${path}.corrupt-${stamp}-${copy}`;
  for (const suffix of FILES) if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix);
  return target;
}

/** The database first: whoever finds it gone wants to make a new one, and has to wait for the lock. */
const FILES = ["", ...SIDE_FILES];

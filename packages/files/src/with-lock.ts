import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findLockOwner, isGone, type LockOwner, readOwners, thisProcess } from "./owner.ts";
import { errorCode } from "./unknown-values.ts";
import { sleepSync, uniqueName } from "./write-whole.ts";

/** A lock that this process holds. */
export interface Lock {
  /** Whether no other process has taken the lock over as abandoned. */
  readonly isHeld: () => boolean;
  /** Releases the lock; if that fails it lasts as long as the process. */
  readonly release: () => void;
}

export interface LockOptions {
  /** How long to wait for another process. */
  readonly waitMs: number;
  /** After which time the lock of a process that cannot be checked is free; by default never. */
  readonly staleAfterMs?: number | undefined;
}

/** The result of the work, or that another process holds the lock. */
export type LockResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: "locked"; readonly detail: string };

/**
 * Does the work while no other process does work under the same lock.
 *
 * The lock is a folder with one file in it, whose name no other owner has. It is put in place whole by a rename, which the
 * system refuses while a folder with a file is there. A process that finds the owner gone deletes that owner's file by its
 * name, so two that come at once cannot take a fresh lock for the old one: they find an empty folder, and one rename wins.
 */
export async function withLock<Value>(
  folder: string,
  { waitMs, staleAfterMs }: LockOptions,
  work: (lock: Lock) => Promise<Value>,
): Promise<LockResult<Value>> {
  const { setTimeout: sleep } = process.getBuiltinModule("node:timers/promises");
  const deadline = performance.now() + waitMs;
  const claim = prepareClaim(folder, staleAfterMs);
  try {
    for (let pause = 2; !claim.take(); pause = Math.min(pause * 2, 200)) {
      if (performance.now() >= deadline) return claim.refusal();
      await sleep(pause * (0.5 + Math.random()));
    }
    return { ok: true, value: await work(claim.lock) };
  } finally {
    claim.end();
  }
}

/** The same for synchronous work. */
export function withLockSync<Value>(
  folder: string,
  { waitMs, staleAfterMs }: LockOptions,
  work: (lock: Lock) => Value,
): LockResult<Value> {
  const deadline = performance.now() + waitMs;
  const claim = prepareClaim(folder, staleAfterMs);
  try {
    for (let pause = 1; !claim.take(); pause = Math.min(pause * 2, 16)) {
      if (performance.now() >= deadline) return claim.refusal();
      sleepSync(Math.random() * pause);
    }
    return { ok: true, value: work(claim.lock) };
  } finally {
    claim.end();
  }
}

/**
 * Takes a lock until it is released or the process ends, or returns its owner on this machine; owners on other machines do
 * not count.
 */
export function takeLock(
  folder: string,
): { readonly ok: true; readonly lock: Lock } | { readonly ok: false; readonly owner: LockOwner } {
  const claim = prepareClaim(folder, 0);
  let isTaken = false;
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      isTaken = claim.take();
      if (isTaken) return { ok: true, lock: claim.lock };
      const owner = findLockOwner(folder);
      // Without an owner the lock has become free in the meantime.
      if (owner !== null) return { ok: false, owner };
    }
    throw new Error(`${folder} cannot be taken as a lock`);
  } finally {
    if (!isTaken) claim.end();
  }
}

const MAX_ATTEMPTS = 100;

interface Claim {
  readonly lock: Lock;
  /** Puts the lock in place; false while another process has it. */
  readonly take: () => boolean;
  readonly refusal: () => Extract<LockResult<never>, { readonly ok: false }>;
  /** Removes whatever exists of it. */
  readonly end: () => void;
}

/** Writes down who wants the lock, beside its place. */
function prepareClaim(folder: string, staleAfterMs = Infinity): Claim {
  const name = uniqueName();
  const draft = `${folder}.${name}.tmp`;
  const mark = join(folder, `owner-${name}`);
  mkdirSync(draft, { mode: 0o700 });
  const end = (): void => {
    try {
      rmSync(draft, { recursive: true, force: true });
      rmSync(mark, { force: true });
    } catch {
      return;
    }
    removeIfEmpty(folder);
  };
  try {
    writeFileSync(join(draft, `owner-${name}`), JSON.stringify(thisProcess()));
  } catch (error) {
    end();
    throw error;
  }
  return {
    lock: { isHeld: () => existsSync(mark), release: end },
    take: () => tryRename(draft, folder) || (freeIfGone(folder, staleAfterMs) === null && tryRename(draft, folder)),
    refusal: () => {
      const holder = freeIfGone(folder, staleAfterMs);
      const who = holder === null || holder.pid === 0 ? "another process" : `process ${holder.pid} on ${holder.host}`;
      return { ok: false, reason: "locked", detail: `${folder} is held by ${who}` };
    },
    end,
  };
}

/** The errors of a rename while another process has the lock; the last two are from Windows. */
const HELD: ReadonlySet<string> = new Set(["ENOTEMPTY", "EEXIST", "EPERM", "EACCES"]);

function tryRename(draft: string, folder: string): boolean {
  try {
    renameSync(draft, folder);
    return true;
  } catch (error) {
    if (HELD.has(errorCode(error) ?? "")) return false;
    throw error;
  }
}

/** Frees a lock whose owner is gone; otherwise returns the owner. */
function freeIfGone(folder: string, staleAfterMs: number): LockOwner | null {
  for (const { mark, owner } of readOwners(folder)) {
    if (!isGone(owner, staleAfterMs)) return owner;
    rmSync(mark, { force: true });
  }
  removeIfEmpty(folder);
  return null;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Another process has the lock already, or has removed the folder.
  }
}

/** Renames a file of at least this size to `.1`, under a lock: another process may have started a new one since. */
export function rotateFile(path: string, minBytes: number): void {
  withLockSync(`${path}.lock`, { waitMs: 0 }, () => {
    if (statSync(path).size >= minBytes) renameSync(path, `${path}.1`);
  });
}

import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execaSync } from "execa";

/** Who holds the place of the one instance. */
export interface Owner {
  readonly pid: number;
  /** When the process began, as the system tells it: a number that was given again is another process. */
  readonly began: string;
  readonly since: string;
}

/** The place, or who has it. */
export type Place = { readonly ok: true; readonly release: () => void } | { readonly ok: false; readonly owner: Owner };

const LOCK_FILE = "codex-injector.lock";

/** Takes the place of the one instance per user; a place whose owner is gone is free. */
export function takePlace(home: string, now: Date = new Date()): Place {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const lock = join(home, LOCK_FILE);
  const own = `${lock}.${process.pid}`;
  const me: Owner = { pid: process.pid, began: beginningOf(process.pid) ?? "", since: now.toISOString() };
  writeFileSync(own, JSON.stringify(me), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      if (isLinked(own, lock)) return { ok: true, release: () => release(lock, me) };
      const owner = readOwner(lock);
      if (owner !== null && isAlive(owner)) return { ok: false, owner };
      setAside(lock, owner, own);
    }
    const owner = readOwner(lock);
    return owner === null ? takePlace(home, now) : { ok: false, owner };
  } finally {
    rmSync(own, { force: true });
  }
}

/** Who holds the place now; null when nobody does. */
export function placeOwner(home: string): Owner | null {
  const owner = readOwner(join(home, LOCK_FILE));
  return owner !== null && isAlive(owner) ? owner : null;
}

function isLinked(own: string, lock: string): boolean {
  try {
    linkSync(own, lock);
    return true;
  } catch {
    return false;
  }
}

/** Moves a dead owner's file away; if meanwhile it became somebody else's, it is put back. */
function setAside(lock: string, dead: Owner | null, own: string): void {
  const aside = `${own}.aside`;
  try {
    renameSync(lock, aside);
    const moved = readOwner(aside);
    if (moved !== null && (dead === null || moved.pid !== dead.pid || moved.began !== dead.began))
      linkSync(aside, lock);
  } catch {
    // Somebody else was faster; the next attempt sees who.
  } finally {
    rmSync(aside, { force: true });
  }
}

function release(lock: string, me: Owner): void {
  const owner = readOwner(lock);
  if (owner?.pid === me.pid && owner.began === me.began) rmSync(lock, { force: true });
}

function readOwner(path: string): Owner | null {
  try {
    const { pid, began, since } = JSON.parse(readFileSync(path, "utf8")) as Partial<Owner>;
    return typeof pid === "number" && typeof began === "string" && typeof since === "string"
      ? { pid, began, since }
      : null;
  } catch {
    return null;
  }
}

function isAlive({ pid, began }: Owner): boolean {
  return beginningOf(pid) === began;
}

/** When a process began, in the system's own words; null when there is none of that number. */
function beginningOf(pid: number): string | null {
  const { exitCode, stdout } = execaSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    reject: false,
    env: { LC_ALL: "C" },
  });
  return exitCode === 0 && stdout.trim() !== "" ? stdout.trim() : null;
}

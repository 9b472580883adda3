import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { errorCode } from "../error-code.ts";
import { SafetyError } from "../trouble.ts";
import { hasEnded, parseOwner, thisOwner } from "./owner.ts";
import type { StoreLayout } from "./store-layout.ts";
import { tryAgainWhereGone } from "./try-again-where-gone.ts";

/**
 * Does something while no other process writes to the store; the lock of a process that has ended is taken over.
 * The folder is made by `make`, where it may be missing.
 */
export async function withStoreLock<T>(
  layout: StoreLayout,
  waitMs: number,
  work: () => Promise<T>,
  make: () => void = () => undefined,
): Promise<T> {
  const own = JSON.stringify({ ...thisOwner(), token: randomBytes(8).toString("hex") });
  const draft = `${layout.lock}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeOwn(draft, own, make);
  try {
    await take(layout.lock, draft, waitMs);
  } finally {
    rmSync(draft, { force: true });
  }
  try {
    return await work();
  } finally {
    if (read(layout.lock) === own) rmSync(layout.lock, { force: true });
  }
}

/** Writes the name of the owner, from when on nobody takes the folder away. */
function writeOwn(draft: string, own: string, make: () => void): void {
  tryAgainWhereGone(() => {
    make();
    writeFileSync(draft, own, { flag: "wx", mode: 0o600 });
  });
}

async function take(lock: string, draft: string, waitMs: number): Promise<void> {
  const until = Date.now() + waitMs;
  for (let delay = 2; ; delay = Math.min(delay * 2, 100)) {
    try {
      return linkSync(draft, lock);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
    const held = read(lock);
    const owner = held === null ? null : parseOwner(held);
    if (held !== null && owner !== null && hasEnded(owner)) removeStale(lock, held);
    else if (Date.now() >= until) {
      const who = owner === null ? "another process" : `process ${owner.pid} on ${owner.host}`;
      throw new SafetyError("locked", `The store is in use by ${who}.`, `If that process is gone, delete ${lock}.`);
    } else await pause(delay + Math.random() * delay);
  }
}

/** Takes a stale lock away; a fresh one that came in between is put back. */
function removeStale(lock: string, stale: string): void {
  const aside = `${lock}.stale.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    renameSync(lock, aside);
  } catch {
    return; // Somebody else was quicker.
  }
  if (read(aside) !== stale) {
    try {
      linkSync(aside, lock);
    } catch {
      // A third process holds it by now; the second will find out when it releases.
    }
  }
  rmSync(aside, { force: true });
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

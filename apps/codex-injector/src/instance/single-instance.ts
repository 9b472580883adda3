import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { findLockOwner, type LockOwner, takeLock } from "@agent-checkpoint/files";

const LOCK = "codex-injector.lock";

/** Takes the place of the one instance per user; a place whose owner is gone is free. */
export function takePlace(home: string): ReturnType<typeof takeLock> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return takeLock(join(home, LOCK));
}

/** Who holds the place now; null if no process does. */
export function placeOwner(home: string): LockOwner | null {
  return findLockOwner(join(home, LOCK));
}

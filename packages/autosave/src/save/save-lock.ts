import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type LockResult, withLock } from "@agent-checkpoint/files";

/** After this time a save of a machine that cannot be asked for counts as gone; one takes seconds. */
const STALE_AFTER_MS = 10 * 60_000;

/** Where a work tree's saves keep their lock, journal and drafts. */
export function saveFolder(gitDir: string): string {
  return join(gitDir, "agent-checkpoint-direct");
}

/** Does the work while no other save is at work in the same work tree. */
export function withSaveLock<Value>(
  folder: string,
  waitMs: number,
  work: () => Promise<Value>,
): Promise<LockResult<Value>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return withLock(join(folder, "lock"), { waitMs, staleAfterMs: STALE_AFTER_MS }, work);
}

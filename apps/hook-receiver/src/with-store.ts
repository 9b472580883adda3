import { dirname, join } from "node:path";
import type { Outcome, Place } from "@agent-checkpoint/composer";
import { openStore, type Store } from "@agent-checkpoint/store";

/** Where and when a hook was called. */
export interface HookPlace extends Place {
  /** Whether the process ends right after the event. */
  readonly isLast: boolean;
}

/** How long an event waits for others to finish with the database; then it passes. */
const BUSY_TIMEOUT_MS = 5000;

/** Handles an event with the store open; a store that cannot be opened is a problem for the log, and the event passes. */
export async function withStore(
  { home, now, isLast }: HookPlace,
  handle: (store: Store) => Promise<Outcome>,
): Promise<Outcome> {
  const options = { sqlite: "node", nativeBinding, busyTimeoutMs: BUSY_TIMEOUT_MS, now: () => now } as const;
  const opened = await openStore(home, options);
  if (!opened.ok) return { problem: `store ${opened.reason}: ${opened.detail}` };
  try {
    return await handle(opened.store);
  } finally {
    // The last process to close a database waits for the disk; what is committed is as safe without it.
    if (!isLast) await opened.store.close();
  }
}

/**
 * SQLite's binary from the package beside this program, loaded; undefined leaves it to the library to look for it.
 * The library tells musl from glibc by a report that takes longer than the whole of this; trying is faster.
 */
export function nativeBinding(): object | undefined {
  // Hardly ever needed, so not loaded with this file.
  const require = process.getBuiltinModule("node:module").createRequire(__filename);
  for (const libc of process.platform === "linux" ? ["linux", "linuxmusl"] : [process.platform]) {
    try {
      const folder = dirname(require.resolve("better-sqlite3/package.json"));
      return require(join(folder, "prebuilds", `${libc}-${process.arch}.node`)) as object;
    } catch {
      // The other C library, or a platform without a prebuilt binary.
    }
  }
  return undefined;
}

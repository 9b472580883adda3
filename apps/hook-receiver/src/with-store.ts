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
  const opened = await openStore(home, { busyTimeoutMs: BUSY_TIMEOUT_MS, now: () => now });
  if (!opened.ok) return { problem: `store ${opened.reason}: ${opened.detail}` };
  try {
    return await handle(opened.store);
  } finally {
    // The last process to close a database waits for the disk; what is committed is as safe without it.
    if (!isLast) await opened.store.close();
  }
}

import type { Outcome } from "@agent-checkpoint/composer";
import { openStore, type Store } from "@agent-checkpoint/store";
import type { HookPlace } from "./hook-place.ts";

/** An event takes its place in a queue of many at most this long; then it passes. */
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
    // Who closes a database last waits for the disk; what is committed is as safe without it.
    if (!isLast) await opened.store.close();
  }
}

import type { Outcome, Place } from "@agent-checkpoint/gate";
import { openStore, type Store } from "@agent-checkpoint/store";
import { nativeBinding } from "./native-binding.ts";

/** An event takes its place in a queue of many at most this long; then it passes. */
const BUSY_TIMEOUT_MS = 5000;

/** Handles an event with the store open; a store that cannot be opened is a problem for the log, and the event passes. */
export async function withStore({ home, now }: Place, handle: (store: Store) => Promise<Outcome>): Promise<Outcome> {
  const options = { nativeBinding: nativeBinding(), busyTimeoutMs: BUSY_TIMEOUT_MS, now: () => now };
  const opened = await openStore(home, options);
  if (!opened.ok) return { problem: `store ${opened.reason}: ${opened.detail}` };
  try {
    return await handle(opened.store);
  } finally {
    await opened.store.close();
  }
}

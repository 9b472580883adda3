import { appendJournal, openStore } from "@agent-checkpoint/store";
import type { StopEvent } from "./hook-event.ts";
import { judgeStop } from "./judge-stop.ts";
import { nativeBinding } from "./native-binding.ts";
import type { HookOutcome, HookPlace } from "./run-hook.ts";
import { stopRow } from "./stop-row.ts";

/** A stop takes its place in a queue of many at most this long; then it passes. */
const BUSY_TIMEOUT_MS = 5000;

/** A stop of the agent: passed at once where the agent says it was blocked before, else judged with the store open. */
export async function handleStop(event: StopEvent, place: HookPlace): Promise<HookOutcome> {
  if (event.isRepeated) {
    appendJournal(place.home, stopRow(event, place, { reason: "stop-hook-active", turn: event.promptId }));
    return { problem: null };
  }
  const opened = await openStore(place.home, {
    nativeBinding: nativeBinding(),
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    now: () => place.now,
  });
  if (!opened.ok) return { problem: `store ${opened.reason}: ${opened.detail}` };
  try {
    return await judgeStop(event, place, opened.store);
  } finally {
    await opened.store.close();
  }
}

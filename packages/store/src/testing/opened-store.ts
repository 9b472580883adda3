import type { AgentName } from "@agent-checkpoint/transcript";
import { expect, onTestFinished } from "vitest";
import { openStore, type OpenOptions } from "../open-store.ts";
import type { Session } from "../tables/sessions.ts";
import type { Snooze } from "../tables/snoozes.ts";
import type { Store } from "../store.ts";

/** An open store that is closed after the test. */
export async function openedStore(home: string, options?: OpenOptions): Promise<Store> {
  const result = await openStore(home, options);
  if (!result.ok) return expect.fail(`${result.reason}: ${result.detail}`);
  onTestFinished(() => result.store.close());
  return result.store;
}

/** What the store knows of a session; null before its first event. */
export async function sessionOf(store: Store, agent: AgentName, sessionId: string): Promise<Session | null> {
  const [session = null] = await store.sessions.list({ agent, sessionId });
  return session;
}

/** Snoozes stops from the time on that the snooze begins. */
export async function snoozeStops(store: Store, snooze: Snooze): Promise<void> {
  await store.snoozes.set(snooze.scope, snooze, snooze.from);
}

import {
  inspectStore,
  openStore,
  type Snooze,
  type Store,
  type StoredStop,
  type StoreInspection,
} from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";

/** The store as it was before any canary. */
export interface StoreFacts {
  readonly inspection: StoreInspection;
  /** What it holds; null where it is not there or was better left alone. */
  readonly contents: StoreContents | { readonly fault: string } | null;
}

/** What the doctor wants to know of the records. */
export interface StoreContents {
  readonly newestAt: Date | null;
  readonly lastStops: Readonly<Record<AgentName, StoredStop | null>>;
  readonly snoozes: readonly Snooze[];
}

/** Reads what is to be known of a store; one that is damaged or of a newer program is not opened. */
export async function readStore(home: string, now: Date): Promise<StoreFacts> {
  const inspection = await inspectStore(home);
  if (!isSound(inspection)) return { inspection, contents: null };
  const opened = await openStore(home);
  if (!opened.ok) return { inspection, contents: { fault: `${opened.reason}: ${opened.detail}` } };
  try {
    return { inspection, contents: await readContents(opened.store, now) };
  } catch (error) {
    return { inspection, contents: { fault: error instanceof Error ? error.message : String(error) } };
  } finally {
    await opened.store.close();
  }
}

function isSound(inspection: StoreInspection): boolean {
  if (inspection.status !== "readable") return false;
  return inspection.damage === null && inspection.schemaVersion <= inspection.knownSchemaVersion;
}

async function readContents(store: Store, now: Date): Promise<StoreContents> {
  const [newest = null] = await store.stops.list({ limit: 1 });
  const lastOf = async (agent: AgentName) => (await store.stops.list({ agent, isCanary: false, limit: 1 }))[0] ?? null;
  return {
    newestAt: newest?.at ?? null,
    lastStops: { claude: await lastOf("claude"), gemini: await lastOf("gemini"), codex: await lastOf("codex") },
    snoozes: await store.snoozes.list(now),
  };
}
